import type { FieldType } from './field-type.ts'
import { isRichText, labelWithLength, longTextFile, longTextType, textFacts } from './text.ts'
import { writeLength } from './type-in-source-format.ts'

/** HTML of up to 131,072 characters. */
export const richtextarea: FieldType = longTextType({
  name: 'richtextarea',
  label: labelWithLength('Rich Text Area'),
  graphql: 'RichTextArea',
  file: longTextFile(32_768),
  sourceFormat: {
    name: 'Html',
    reads: ['length', 'required'],
    write: (field) => ({ ...writeLength(field), visibleLines: 25 }),
  },
  isDescribedBy: (field) => field.type === 'textarea' && isRichText(field),
  history: { dataType: 'RichTextArea' },
  long: true,
  searchedAs: 'richText',
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'richtextarea', htmlFormatted: true }),
})
