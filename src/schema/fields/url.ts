import { sql } from '../../base/sql.ts'
import type { FieldType } from './field-type.ts'
import { labelWithLength, MAX_SHORT_LENGTH, shortTextFile, textType } from './text.ts'

export const url: FieldType = textType({
  name: 'url',
  label: labelWithLength('URL'),
  graphql: 'Url',
  file: shortTextFile(MAX_SHORT_LENGTH),
  sourceFormat: { name: 'Url', reads: ['length', 'required', 'key'] },
  inColumns: {
    has: (value) => /^(?:https?:\/\/|www\.)\S+$/i.test(value),
    makeField: ({ longest }) => (longest > MAX_SHORT_LENGTH ? undefined : { because: 'web addresses' }),
  },
  history: { dataType: 'Url' },
  searchedAs: 'text',
})

/** The whole address of the bytes of another field, for clients that fetch it as it is; null without bytes. */
export const addressOfBytes: FieldType = {
  ...url,
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
}
