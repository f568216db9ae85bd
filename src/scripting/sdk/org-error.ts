import type { ErrorItem } from '../../base/api-error.ts'

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
