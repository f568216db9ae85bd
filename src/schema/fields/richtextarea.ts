import { longTextType, textFacts } from './text.ts'

export const richtextarea = longTextType({
  name: 'richtextarea',
  facts: (field) => ({ ...textFacts(field), extraTypeInfo: 'richtextarea', htmlFormatted: true }),
})
