import assert from 'node:assert/strict'
import { fetchRecords } from './ask.ts'
import type { TestOrg } from './org.ts'

type Values = Readonly<Record<string, unknown>>

/** A write, and what the record has after it. */
export type DerivedStep = readonly [write: Values, gives: Values]

/** Compares values of a record. */
export async function assertValues(o: TestOrg, object: string, id: string, expected: Values): Promise<void> {
  const names = Object.keys(expected)
  const records = await fetchRecords(o, `SELECT ${names.join(', ')} FROM ${object} WHERE Id = '${id}'`)
  assert.deepEqual(records, [expected])
}

/**
 * Creates a record by the first step and changes it by the others, and compares what it has after each.
 * @returns its id
 */
export async function assertSteps(
  o: TestOrg,
  object: string,
  [[created, gives], ...changes]: readonly [DerivedStep, ...DerivedStep[]],
): Promise<string> {
  const id = await o.create(object, created)
  await assertValues(o, object, id, gives)
  for (const [change, expected] of changes) {
    const { status, text } = await o.call('PATCH', `/sobjects/${object}/${id}`, { body: change })
    assert.equal(status, 204, `${JSON.stringify(change)}: ${text}`)
    await assertValues(o, object, id, expected)
  }
  return id
}
