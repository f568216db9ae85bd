import { textFacts, textType } from './text.ts'

export const textarea = textType({
  name: 'textarea',
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'plaintextarea' }),
})
