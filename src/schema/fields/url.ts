import { sql } from '../../base/sql.ts'
import { textType } from './text.ts'

export const url = textType({ name: 'url', graphql: 'Url', searchedAs: 'text' })

/** The whole address of the bytes of another field, for clients that fetch it as it is; null without bytes. */
export const addressOfBytes = textType({
  name: 'url',
  graphql: 'Url',
  readAsAddress: true,
  selected: (column) => sql`(${column} is not null)`,
  read: (value, recordUrl, { definition }, origin = '') =>
    value === true ? `${origin}${recordUrl}/${definition.addressOf}` : null,
  csvText: undefined,
  comparable: undefined,
  operators: [],
  sortable: false,
  groupable: false,
  aggregatable: false,
})
