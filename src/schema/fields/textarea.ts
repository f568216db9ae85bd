import { textFacts, textType } from './text.ts'

export const textarea = textType({
  name: 'textarea',
  graphql: 'TextArea',
  searchedAs: 'text',
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'plaintextarea' }),
})
