import type { ErrorItem } from '../../base/api-error.ts'

/**
 * An error response that a handler throws: `throw new HttpError(404, 'There is no such contact')` sends 404 with
 * `{"error":"There is no such contact"}` and rolls back what the handler has written.
 */
export class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`An HttpError has a status from 400 to 599, not ${status}`)
    }
    this.name = 'HttpError'
    this.status = status
  }
}

/** An error of the org, thrown by `org.create` and other operations. Deployed code may catch it. */
export class OrgError extends Error {
  /** For example `REQUIRED_FIELD_MISSING`. */
  readonly errorCode: string
  /** Names of the fields concerned. */
  readonly fields: readonly string[]
  /** All errors. The properties above are of the first one. */
  readonly errors: readonly ErrorItem[]

  constructor(message: string, errors: readonly ErrorItem[]) {
    super(message)
    this.name = 'OrgError'
    this.errorCode = errors[0]?.errorCode ?? 'UNKNOWN_EXCEPTION'
    this.fields = errors[0]?.fields ?? []
    this.errors = errors
  }
}
