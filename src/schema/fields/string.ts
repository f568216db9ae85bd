import type { FieldType } from './field-type.ts'
import { labelWithLength, MAX_SHORT_LENGTH, shortTextFile, textType } from './text.ts'
import { FORMULA } from './type-in-files.ts'
import { writeLength } from './type-in-source-format.ts'

const file = shortTextFile(MAX_SHORT_LENGTH)

export const string: FieldType = textType({
  name: 'string',
  label: labelWithLength('Text'),
  file: { ...file, properties: [...file.properties, ...FORMULA], nameDefaults: { length: 80 } },
  sourceFormat: { name: 'Text', reads: ['length', 'required', 'key'], write: writeLength },
  // A describe gives text formulas a length of 1,300 characters, which few values reach.
  isDescribedBy: ({ type, autoNumber, calculated, length }) =>
    type === 'string' && !autoNumber && (calculated || length <= MAX_SHORT_LENGTH),
  searchedAs: 'text',
  namesRecords: true,
  inEvents: true,
  formula: { type: 'Text', isResult: true },
})
