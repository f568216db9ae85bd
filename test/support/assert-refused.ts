import assert from 'node:assert/strict'
import type { ErrorCode } from '../../src/base/error-codes.ts'
import type { Answer } from './org.ts'

/** The answer is one error with exactly this status, code, message and these fields. */
export function assertRefused(
  answer: Answer,
  status: number,
  errorCode: ErrorCode,
  message: string | RegExp,
  fields: readonly string[] = [],
): void {
  assert.equal(answer.status, status, answer.text)
  assert.ok(Array.isArray(answer.body), answer.text)
  const [error] = answer.body
  assert.deepEqual(answer.body, [{ message: error.message, errorCode, fields }])
  if (typeof message === 'string') assert.equal(error.message, message)
  else assert.match(error.message, message)
}

/** The message for a path that names nothing. */
export const NO_RESOURCE = 'The requested resource does not exist'

export const NO_KEY = (segment: string) =>
  `Provided external ID field does not exist or is not accessible: ${segment}`
