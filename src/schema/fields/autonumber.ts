import { quoteText } from '../../base/sql.ts'
import type { Field } from './field.ts'
import type { FieldType } from './field-type.ts'
import { coerceText, textType } from './text.ts'
import { KEY } from './type-in-files.ts'

/** Writes a number as `A-{0000}` says, in SQL. */
function writeNumber(field: Field, number: string): string {
  const match = /^([^{]*)\{(0+)\}([^{]*)$/.exec(field.definition.format ?? '{0}')
  if (match === null) throw new Error(`the format of ${field.name} has no {0}`)
  const [, before, zeros, after] = match as unknown as [string, string, string, string]
  const digits = quoteText(`FM${'9'.repeat(18 - zeros.length)}${zeros}`)
  return `${quoteText(before)} || to_char(${number}, ${digits}) || ${quoteText(after)}`
}

/** A text that the database makes from a counter and the field's display format. */
export const autonumber: FieldType = textType({
  name: 'autonumber',
  label: 'Auto Number',
  graphql: 'String',
  file: { properties: [...KEY, 'format'], defaults: { format: '{0}' } },
  sourceFormat: {
    name: 'AutoNumber',
    reads: ['format', 'externalId'],
    write: ({ format }) => ({ displayFormat: format }),
  },
  isDescribedBy: ({ type, autoNumber }) => type === 'string' && autoNumber,
  searchedAs: 'text',
  describedAs: 'string',
  coerce: coerceText,
  groupable: false,
  namesRecords: true,
  counted: true,
  alwaysFilled: true,
  columnDefault: (field, sequence) => writeNumber(field, `nextval(${quoteText(sequence)})`),
  writeNumber,
  facts: () => ({ length: 30, byteLength: 90 }),
})
