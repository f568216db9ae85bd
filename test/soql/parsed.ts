import assert from 'node:assert/strict'
import { ApiError } from '../../src/base/api-error.ts'
import { parseQuery } from '../../src/soql/parse/parser.ts'

/** The message that a statement is refused with; that it is refused, and how, is asserted. */
export function refusal(text: string): string {
  try {
    parseQuery(text)
  } catch (error) {
    assert.ok(error instanceof ApiError, `${text}: ${error}`)
    assert.equal(error.code, 'MALFORMED_QUERY')
    return error.message
  }
  return assert.fail(`parses: ${text}`)
}

/** The tree of a condition. */
export function where(condition: string) {
  return parseQuery(`SELECT Id FROM A WHERE ${condition}`).where!
}

/** The tree of the first thing selected. */
export function firstItem(item: string) {
  return parseQuery(`SELECT ${item} FROM A`).items[0]!
}

/** The tree without offsets and without what is absent: what a test wants to look at. */
export function shape(node: unknown): unknown {
  return JSON.parse(
    JSON.stringify(node, (key, child) => (key === 'at' || key === 'text' ? undefined : child)),
  )
}
