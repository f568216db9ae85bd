import type { SearchGroup } from '../schema/change/search-index.sql.ts'
import type { SearchExpression } from '../soql/parse/search-expression.ts'
import type { Query } from '../soql/parse/tree.ts'

/** What was asked for, whether in a FIND or in parameters. (docs/reference/api/search.md#search) */
export interface Search {
  /** The words as typed. */
  readonly words: string
  readonly expression: SearchExpression
  /** Only in the fields of these groups; all of them when absent. */
  readonly groups?: readonly SearchGroup[]
  /** One query for each object that is looked at, in this order; absent: every searchable object's ids. */
  readonly returning?: readonly Query[]
  /** Most records in all, 2,000 at most. */
  readonly limit: number
  /** Labels of the fields in the answer. */
  readonly labels: boolean
}

/** More records than this are never found. (docs/reference/api/search.md#search) */
export const MAX_FOUND = 2000

/** `IN NAME FIELDS`: the groups of fields behind each word; ALL has no entry. */
export const FIELD_GROUPS: Readonly<Record<string, readonly SearchGroup[] | undefined>> = {
  ALL: undefined,
  NAME: ['name'],
  EMAIL: ['email'],
  PHONE: ['phone'],
  SIDEBAR: ['name', 'email', 'phone'],
}
