import type { ApiError } from '../base/api-error.ts'

/** The reply to a call. Without a body nothing is sent but the status. */
export interface Reply {
  readonly status: number
  /** What is written as JSON, a `Json` that is, a text whose type the headers say, or bytes as they are, also as a stream. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The body tells which operations of the call were not carried out; others are there for good. */
  readonly isPartial?: boolean
  /** Why the call failed, where an error has become the reply. */
  readonly error?: ApiError
  /** Of a call made of calls: the errors of the steps that failed, in the order of the body. */
  readonly stepErrors?: readonly ApiError[]
}

export const noContent: Reply = Object.freeze({ status: 204 })

/** An error in the format of the data API: an array, always with `fields`. (docs/reference/api/records.md#error-format) */
export function errorReply(error: ApiError, headers?: Reply['headers']): Reply {
  const { status, items } = error
  return { status, body: items, headers: headers ?? retryHeaders(error), error }
}

/** `Retry-After` where the call may be sent again as it is. */
export const retryHeaders = ({ retryAfterSeconds }: Pick<ApiError, 'retryAfterSeconds'>): Reply['headers'] =>
  retryAfterSeconds === undefined ? undefined : { 'Retry-After': String(retryAfterSeconds) }
