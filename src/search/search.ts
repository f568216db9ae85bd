import type { SearchGroup } from '../schema/change/search-words.sql.ts'
import type { Name } from '../soql/parse/function-call.ts'
import type { SearchExpression } from '../soql/parse/search-expression.ts'
import type { Query } from '../soql/parse/tree.ts'

/** The part of a search that names an object and the rows to return of it. */
export interface Returned {
  readonly query: Query
  /** `USING ListView = Recent`: only the records of a list view. */
  readonly listView?: Name | undefined
}

/** A search request, from FIND or from parameters. (docs/reference/api/search.md#search) */
export interface Search {
  /** The words as typed. */
  readonly words: string
  readonly expression: SearchExpression
  /** Searches only fields of these groups; all groups when absent. */
  readonly groups?: readonly SearchGroup[] | undefined
  /** One per object, in this order; when absent, the ids of all searchable objects. */
  readonly returning?: readonly Returned[] | undefined
  /** Maximum number of records in total, at most `MAX_FOUND`. */
  readonly limit: number
  /** True to include labels of the fields. */
  readonly labels: boolean
}

/** Maximum number of records that a search returns. (docs/reference/api/search.md#search) */
export const MAX_FOUND = 2000

/** `IN NAME FIELDS`: the groups of fields behind each word; ALL has no entry. */
export const FIELD_GROUPS: Readonly<Record<string, readonly SearchGroup[] | undefined>> = {
  ALL: undefined,
  NAME: ['name'],
  EMAIL: ['email'],
  PHONE: ['phone'],
  SIDEBAR: ['name', 'email', 'phone'],
}
