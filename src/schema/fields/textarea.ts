import type { FieldType } from './field-type.ts'
import { isRichText, labelWithLength, longTextFile, MAX_SHORT_LENGTH, textFacts, textType } from './text.ts'

/** Plain text of at most 255 characters. */
export const textarea: FieldType = textType({
  name: 'textarea',
  label: labelWithLength('Text Area'),
  graphql: 'TextArea',
  file: longTextFile(MAX_SHORT_LENGTH, MAX_SHORT_LENGTH),
  sourceFormat: { name: 'TextArea', reads: ['length', 'required'] },
  isDescribedBy: (field) => field.type === 'textarea' && field.filterable && !isRichText(field),
  history: { dataType: 'TextArea' },
  searchedAs: 'text',
  inEvents: true,
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'plaintextarea' }),
})
