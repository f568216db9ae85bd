import assert from 'node:assert/strict'
import type { TestOrg } from './org.ts'

interface Plan {
  readonly match?: object
  readonly until?: object
  readonly effect: object
}

/** How many calls a plan was about, and how many of them it struck. */
export type Counts = readonly [matched: number, struck: number]

/** The only plan of an org from now on. */
export async function injectFault(o: TestOrg, plan: Plan, name = 'plan'): Promise<void> {
  await forget(o)
  await addFault(o, name, plan)
}

/** One plan more. */
export async function addFault(o: TestOrg, name: string, plan: Plan): Promise<void> {
  const answer = await o.call('PUT', `/setup/faults/${name}`, { body: plan })
  assert.equal(answer.status, 200, answer.text)
}

/** Removes all fault plans. */
export async function forget(o: TestOrg): Promise<void> {
  assert.equal((await o.call('DELETE', '/setup/faults')).status, 204)
}

export async function fetchCounts(o: TestOrg, name = 'plan'): Promise<Counts> {
  const { body } = await o.call('GET', `/setup/faults/${name}`)
  return [body.matched, body.struck]
}
