import type { ApiError } from '../base/api-error.ts'

/** The reply to a call. Without a body only the status is sent. */
export interface Reply {
  readonly status: number
  /** A value to serialize as JSON, a ready `Json`, a text whose type the headers name, or bytes, also as a stream. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Some operations of the call failed and others are committed; the body says which. */
  readonly isPartial?: boolean
  /** Why the call failed, where an error has become the reply. */
  readonly error?: ApiError | undefined
  /** Of a call made of calls: the errors of the steps that failed, in the order of the body. */
  readonly stepErrors?: readonly ApiError[]
}

export const noContent: Reply = Object.freeze({ status: 204 })

/** An error in the format of the data API: an array, always with `fields`. (docs/reference/api/records.md#error-format) */
export function errorReply(error: ApiError, headers?: Reply['headers']): Reply {
  const { status, items } = error
  return { status, body: items, headers: headers ?? retryHeaders(error), error }
}

/** `Retry-After` where the client may send the same call again. */
export const retryHeaders = ({ retryAfterSeconds }: Pick<ApiError, 'retryAfterSeconds'>): Reply['headers'] =>
  retryAfterSeconds === undefined ? undefined : { 'Retry-After': String(retryAfterSeconds) }

/** Bytes as the body of a reply, sent piece by piece without buffering all of them. */
export class ByteStream {
  /** Undefined if it is not known before. */
  readonly length: number | undefined
  readonly pieces: () => AsyncIterable<Uint8Array>
  /** It is text, so that packing it is worth the time. */
  readonly isText: boolean

  constructor(length: number | undefined, pieces: () => AsyncIterable<Uint8Array>, isText = false) {
    this.length = length
    this.pieces = pieces
    this.isText = isText
  }
}
