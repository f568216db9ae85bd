import type { ErrorItem } from '../../base/api-error.ts'

/** What the org refuses: thrown by `org.create` and its like, to be caught by code that knows what to do about it. */
export class OrgError extends Error {
  /** For example `REQUIRED_FIELD_MISSING`. */
  readonly errorCode: string
  /** Names of the fields concerned. */
  readonly fields: readonly string[]
  /** All that was refused; the first one is told above. */
  readonly errors: readonly ErrorItem[]

  constructor(message: string, errors: readonly ErrorItem[]) {
    super(message)
    this.name = 'OrgError'
    this.errorCode = errors[0]?.errorCode ?? 'UNKNOWN_EXCEPTION'
    this.fields = errors[0]?.fields ?? []
    this.errors = errors
  }
}
