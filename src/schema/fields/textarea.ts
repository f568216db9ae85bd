import { textFacts, textType } from './text.ts'

export const textarea = textType({
  name: 'textarea',
  searchedAs: 'text',
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'plaintextarea' }),
})
