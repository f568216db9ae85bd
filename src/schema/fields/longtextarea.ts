import { longTextType, textFacts } from './text.ts'

export const longtextarea = longTextType({
  name: 'longtextarea',
  searchedAs: 'text',
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'plaintextarea' }),
})
