import assert from 'node:assert/strict'
import type { TestOrg } from './org.ts'

const PATH = '/setup/orgs/current/recompute'

/** Computes a part of an object's records again, or compares it. */
export async function sendRecompute(o: TestOrg, object: string, more: object = {}) {
  const { status, body } = await o.call('POST', PATH, { body: { object, ...more } })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** The objects whose records have other values than the derived ones. */
export async function findDiffering(o: TestOrg): Promise<readonly string[]> {
  const { objects } = (await o.call('GET', PATH)).body
  const found: string[] = []
  for (const object of objects)
    if ((await sendRecompute(o, object, { check: true })).differing.length > 0) found.push(object)
  return found
}
