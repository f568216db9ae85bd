import { longTextType, textFacts } from './text.ts'

export const richtextarea = longTextType({
  name: 'richtextarea',
  graphql: 'RichTextArea',
  long: true,
  searchedAs: 'richText',
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'richtextarea', htmlFormatted: true }),
})
