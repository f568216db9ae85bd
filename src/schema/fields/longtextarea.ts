import { longTextType, textFacts } from './text.ts'

export const longtextarea = longTextType({
  name: 'longtextarea',
  graphql: 'LongTextArea',
  long: true,
  searchedAs: 'text',
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'plaintextarea' }),
})
