import { ApiError } from '../base/api-error.ts'

/** Connections of one document, those inside records too. (contract/graphql 10) */
const MOST_CONNECTIONS = 10
/** Records that one statement may give, those inside records too. */
const MOST_RECORDS = 200_000

const tooComplicated = (message: string) => new ApiError('QUERY_TOO_COMPLICATED', message)

/** Counts the connections of a document. */
export class Connections {
  #count = 0

  /** @throws ApiError QUERY_TOO_COMPLICATED */
  add(): void {
    if (++this.#count > MOST_CONNECTIONS) {
      throw tooComplicated(`A document may hold at most ${MOST_CONNECTIONS} subqueries`)
    }
  }
}

export const refuseGrandchildren = () =>
  tooComplicated('Child relationships can be followed one level down from the queried record')

/** (contract/graphql 8) */
export const refuseChildren = () => tooComplicated('Child relationships cannot be followed here')
export const refuseParents = () =>
  tooComplicated('Of the parents of a written record only Id and ApiName can be asked for')

/** Counts the records that a statement may give. */
export class Records {
  #count = 0

  /** @throws ApiError QUERY_TOO_COMPLICATED */
  add(records: number): void {
    this.#count += records
    if (this.#count > MOST_RECORDS) {
      throw tooComplicated(
        `The query may give more than ${MOST_RECORDS} records: ask for fewer with first, outside or inside`,
      )
    }
  }
}
