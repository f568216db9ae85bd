import { ApiError } from '../../base/api-error.ts'
import { MAX_INTROSPECTION_VALUES } from './introspection-cost.ts'

/** Connections of one document, those inside records too. (docs/reference/api/graphql.md#limits) */
const MAX_CONNECTIONS = 10
/** Records that one statement may give, those inside records too. */
const MAX_RECORDS = 200_000

/** Members of a filter with all that is inside it. */
const MAX_CONDITIONS = 4000
/** Plain values in the lists of a filter: as many as fit into the longest SOQL query. */
const MAX_LISTED = 50_000

const tooComplicated = (message: string) => new ApiError('QUERY_TOO_COMPLICATED', message)

/** Counts the connections of a document, and what it asks of the schema. */
export class Connections {
  #count = 0
  #introspected = 0

  /** @throws ApiError QUERY_TOO_COMPLICATED */
  add(): void {
    if (++this.#count > MAX_CONNECTIONS) {
      throw tooComplicated(`A document may hold at most ${MAX_CONNECTIONS} subqueries`)
    }
  }

  /**
   * @param values that the answer has, roughly
   * @throws ApiError QUERY_TOO_COMPLICATED
   */
  addIntrospection(values: number): void {
    this.add()
    this.#introspected += values
    if (this.#introspected > MAX_INTROSPECTION_VALUES) {
      throw tooComplicated('The document asks for more of the schema than three usual introspections do')
    }
  }
}

export const refuseGrandchildren = () =>
  tooComplicated('Child relationships can be followed one level down from the queried record')

/** (docs/reference/api/graphql.md#mutations) */
export const refuseChildren = () => tooComplicated('Child relationships cannot be followed here')
export const refuseParents = () =>
  tooComplicated('Of the parents of a written record only Id and ApiName can be asked for')

function listedIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value) && typeof value[0] !== 'object') return value.length
  return Object.values(value).reduce<number>((sum, member) => sum + listedIn(member), 0)
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  // Plain values in a list are one parameter together.
  for (const member of Object.values(value)) {
    if (!Array.isArray(value) || typeof member === 'object') count += 1 + membersIn(member)
    if (count > MAX_CONDITIONS) break
  }
  return count
}

/** @throws ApiError QUERY_TOO_COMPLICATED */
export function checkConditions(where: object): void {
  if (membersIn(where) > MAX_CONDITIONS) {
    throw tooComplicated(`A filter may have at most ${MAX_CONDITIONS} members`)
  }
  if (listedIn(where) > MAX_LISTED) {
    throw tooComplicated(`The lists of a filter may have at most ${MAX_LISTED} values`)
  }
}

/** Counts the records that a statement may give. */
export class Records {
  #count = 0

  /** @throws ApiError QUERY_TOO_COMPLICATED */
  add(records: number): void {
    this.#count += records
    if (this.#count > MAX_RECORDS) {
      throw tooComplicated(
        `The query may give more than ${MAX_RECORDS} records: ask for fewer with first, outside or inside`,
      )
    }
  }
}
