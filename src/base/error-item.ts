import type { ErrorCode } from './error-codes.ts'

/** One element of an error body. (docs/reference/api/records.md#error-format) */
export interface ErrorItem {
  readonly message: string
  readonly errorCode: ErrorCode
  readonly fields: readonly string[]
}
