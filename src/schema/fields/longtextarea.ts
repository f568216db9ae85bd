import { longTextType, textFacts } from './text.ts'

export const longtextarea = longTextType({
  name: 'longtextarea',
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'plaintextarea' }),
})
