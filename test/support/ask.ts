import assert from 'node:assert/strict'
import type { Answer, TestOrg } from './org.ts'

/** The address of a query. */
export const queryPath = (text: string) => `/query?q=${encodeURIComponent(text)}`

/** Sends a query, whatever comes of it. */
export function ask(o: TestOrg, text: string, headers?: Readonly<Record<string, string>>): Promise<Answer> {
  return o.call('GET', queryPath(text), { headers })
}

/** The result of a query that must succeed. */
export async function fetchResult(o: TestOrg, text: string): Promise<Answer['body']> {
  const answer = await ask(o, text)
  assert.equal(answer.status, 200, `${text}: ${answer.text}`)
  return answer.body
}

/** The records of a query that must succeed, without their attributes, parents too. */
export async function fetchRecords(o: TestOrg, text: string): Promise<Record<string, unknown>[]> {
  const { records } = await fetchResult(o, text)
  return records.map(withoutAttributes)
}

/** The names of the records that meet a condition, or that an order sorts: all that follows `SELECT Name FROM`. */
export async function fetchNames(o: TestOrg, rest: string): Promise<unknown[]> {
  const records = await fetchRecords(o, `SELECT Name FROM ${rest}`)
  return records.map((record) => record.Name)
}

/** How a query is refused: always 400, always one error. */
export async function fetchRefusal(o: TestOrg, text: string): Promise<{ code: string; message: string }> {
  const answer = await ask(o, text)
  assert.equal(answer.status, 400, `${text}: ${answer.text}`)
  assert.equal(answer.body.length, 1)
  const [{ errorCode, message, fields }] = answer.body
  assert.deepEqual(fields, [])
  return { code: errorCode, message }
}

export function withoutAttributes(record: Record<string, unknown>): Record<string, unknown> {
  const { attributes, ...fields } = record
  assert.ok(attributes)
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const isParent = typeof value === 'object' && value !== null && 'attributes' in value
      return [name, isParent ? withoutAttributes(value as Record<string, unknown>) : value]
    }),
  )
}
