import { longTextType, textFacts } from './text.ts'

export const longtextarea = longTextType({
  name: 'longtextarea',
  graphql: 'LongTextArea',
  searchedAs: 'text',
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'plaintextarea' }),
})
