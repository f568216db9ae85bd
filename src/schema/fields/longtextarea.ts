import type { DescribedFacts, FieldType } from './field-type.ts'
import {
  isRichText,
  labelWithLength,
  longTextFile,
  longTextType,
  MAX_SHORT_LENGTH,
  textFacts,
} from './text.ts'
import { writeLength } from './type-in-source-format.ts'

function isDescribedBy(field: DescribedFacts): boolean {
  if (field.type === 'textarea') return !field.filterable && !isRichText(field)
  return field.type === 'string' && !field.autoNumber && !field.calculated && field.length > MAX_SHORT_LENGTH
}

/** Plain text of up to 131,072 characters. */
export const longtextarea: FieldType = longTextType({
  name: 'longtextarea',
  label: labelWithLength('Long Text Area'),
  graphql: 'LongTextArea',
  file: longTextFile(32_768),
  sourceFormat: {
    name: 'LongTextArea',
    reads: ['length', 'required'],
    write: (field) => ({ ...writeLength(field), visibleLines: 3 }),
  },
  isDescribedBy,
  history: { dataType: 'TextArea' },
  long: true,
  searchedAs: 'text',
  inEvents: true,
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'plaintextarea' }),
})
