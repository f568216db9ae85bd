import { ERROR_CODES, type ErrorCode } from './error-codes.ts'
import type { ErrorItem } from './error-item.ts'

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
