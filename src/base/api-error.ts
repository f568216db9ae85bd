import { ERROR_CODES, type ErrorCode } from './error-codes.ts'

/** One element of an error body. (docs/reference/api/records.md#error-format) */
export interface ErrorItem {
  readonly message: string
  readonly errorCode: ErrorCode
  readonly fields: readonly string[]
}

interface Details {
  /** API names of the fields concerned. */
  readonly fields?: readonly string[]
  /** Overrides the default status of the code. */
  readonly status?: number
  /** The underlying error: for the log, never for the client. */
  readonly cause?: unknown
  /** Seconds after which the client may send the call again: no part of it was carried out. */
  readonly retryAfterSeconds?: number | undefined
  /** It is unknown whether the call was carried out. */
  readonly isOutcomeUnknown?: boolean
}

/**
 * The only error class that modules throw. Its message is for the client; its cause is for the log. `dispatch` turns
 * it into a reply, and each endpoint group writes it in its own format.
 */
export class ApiError extends Error {
  readonly status: number
  readonly items: readonly ErrorItem[]
  readonly retryAfterSeconds: number | undefined
  readonly isOutcomeUnknown: boolean

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.name = 'ApiError'
    this.status = details.status ?? ERROR_CODES[code]
    this.retryAfterSeconds = details.retryAfterSeconds
    this.isOutcomeUnknown = details.isOutcomeUnknown ?? false
    this.items = [{ message, errorCode: code, fields: details.fields ?? [] }]
  }

  get code(): ErrorCode {
    return this.items[0]!.errorCode
  }

  /** Several errors as one; the status is that of the first. */
  static all(errors: readonly ApiError[]): ApiError {
    const [first] = errors
    if (first === undefined) throw new TypeError('ApiError.all needs at least one error')
    if (errors.length === 1) return first
    const combined = new ApiError(first.code, first.message, {
      status: first.status,
      cause: first.cause,
      retryAfterSeconds: first.retryAfterSeconds,
    })
    Object.defineProperty(combined, 'items', { value: errors.flatMap((error) => error.items) })
    return combined
  }
}

/** The error for an address that names nothing, and for whatever its caller may not know of. */
export const notFound = (): ApiError => new ApiError('NOT_FOUND', 'The requested resource does not exist')

/** No part of the call was carried out; it may succeed later. */
export const serverTooBusy = (cause?: unknown, message = 'Server Too Busy') =>
  new ApiError('SERVER_UNAVAILABLE', message, { cause, retryAfterSeconds: 1 })

/** The database may have carried out the call, or a part of it, before it failed. No `Retry-After`: a repeated call may run twice. */
export const outcomeUnknown = (cause?: unknown) =>
  new ApiError(
    'SERVER_UNAVAILABLE',
    'The database failed while the call was being carried out, so its outcome is unknown. Read what the call was to change before you send it again.',
    { cause, isOutcomeUnknown: true },
  )
