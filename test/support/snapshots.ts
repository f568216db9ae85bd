import assert from 'node:assert/strict'
import type { Answer, TestOrg } from './org.ts'

type Caller = Pick<TestOrg, 'call'>

/** Saves a snapshot of the org. */
export async function saveSnapshot({ call }: Caller, name: string): Promise<Answer['body']> {
  const { status, body, text } = await call('PUT', `/setup/orgs/current/snapshots/${name}`)
  assert.equal(status, 200, text)
  return body
}

/** Restores a snapshot of the org. */
export async function restoreSnapshot({ call }: Caller, name: string): Promise<Answer['body']> {
  const { status, body, text } = await call('POST', '/setup/orgs/current/restore', {
    body: { snapshot: name },
  })
  assert.equal(status, 200, text)
  return body
}
