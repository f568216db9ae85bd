import { ApiError } from '../../base/api-error.ts'
import { MAX_INTROSPECTION_VALUES } from './introspection-cost.ts'

/** Maximum connections in one document, nested ones included. (docs/reference/api/graphql.md#limits) */
const MAX_CONNECTIONS = 10
/** Maximum records that one statement may return, nested ones included. */
const MAX_RECORDS = 200_000

/** Maximum members of a filter, nested ones included. */
const MAX_CONDITIONS = 4000
/** Maximum values in the lists of a filter: as many as fit into the longest SOQL query. */
const MAX_LISTED = 50_000
/** Maximum characters of a filter's values together: comparing them and sending them takes time by the character. */
const MAX_FILTER_CHARACTERS = 5_000_000

const tooComplicatedError = (message: string) => new ApiError('QUERY_TOO_COMPLICATED', message)

/** Counts the connections and introspected values of a document. */
export class DocumentLimits {
  #count = 0
  #introspected = 0

  /** @throws ApiError QUERY_TOO_COMPLICATED */
  add(): void {
    if (++this.#count > MAX_CONNECTIONS) {
      throw tooComplicatedError(`A document may hold at most ${MAX_CONNECTIONS} subqueries`)
    }
  }

  /**
   * @param values estimated number of values in the result
   * @throws ApiError QUERY_TOO_COMPLICATED
   */
  addIntrospection(values: number): void {
    this.add()
    this.#introspected += values
    if (this.#introspected > MAX_INTROSPECTION_VALUES) {
      throw tooComplicatedError('The document asks for more of the schema than three usual introspections do')
    }
  }
}

export const grandchildrenError = () =>
  tooComplicatedError('Child relationships can be followed one level down from the queried record')

/** (docs/reference/api/graphql.md#mutations) */
export const childrenError = () => tooComplicatedError('Child relationships cannot be followed here')
export const parentsError = () =>
  tooComplicatedError('Of the parents of a written record only Id and ApiName can be asked for')

function countListedValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value) && typeof value[0] !== 'object') return value.length
  return Object.values(value).reduce<number>((sum, member) => sum + countListedValues(member), 0)
}

function countCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  for (const member of Object.values(value)) count += countCharacters(member)
  return count
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  // Plain values in a list share one parameter.
  for (const member of Object.values(value)) {
    if (!Array.isArray(value) || typeof member === 'object') count += 1 + countMembers(member)
    if (count > MAX_CONDITIONS) break
  }
  return count
}

/** @throws ApiError QUERY_TOO_COMPLICATED */
export function checkConditions(where: object): void {
  if (countMembers(where) > MAX_CONDITIONS) {
    throw tooComplicatedError(`A filter may have at most ${MAX_CONDITIONS} members`)
  }
  if (countListedValues(where) > MAX_LISTED) {
    throw tooComplicatedError(`The lists of a filter may have at most ${MAX_LISTED} values`)
  }
  if (countCharacters(where) > MAX_FILTER_CHARACTERS) {
    throw tooComplicatedError(
      `The values of a filter may have at most ${MAX_FILTER_CHARACTERS} characters together`,
    )
  }
}

/** Counts the records that a statement may return. */
export class RecordLimit {
  #count = 0

  /** @throws ApiError QUERY_TOO_COMPLICATED */
  add(records: number): void {
    this.#count += records
    if (this.#count > MAX_RECORDS) {
      throw tooComplicatedError(
        `The query may give more than ${MAX_RECORDS} records: ask for fewer with first, outside or inside`,
      )
    }
  }
}
