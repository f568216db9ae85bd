import { longTextType, textFacts } from './text.ts'

export const encryptedstring = longTextType({
  name: 'encryptedstring',
  graphql: 'EncryptedString',
  describedAs: 'encryptedstring',
  facts: (field) => ({ ...textFacts(field), encrypted: true, mask: '*', maskType: 'all' }),
})
