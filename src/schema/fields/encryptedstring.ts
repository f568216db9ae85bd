import { countCharacters, longTextType, refuseTooLong, textFacts } from './text.ts'

const MASK = '*'

/** All of it is hidden but its length: `****`. */
const mask = (text: string) => MASK.repeat(countCharacters(text))

export const encryptedstring = longTextType({
  name: 'encryptedstring',
  graphql: 'EncryptedString',
  describedAs: 'encryptedstring',
  encrypted: { mask },
  formula: undefined,
  csvText: undefined,
  // The error must not contain the value: clients and imports log errors.
  validate: (value, field) => refuseTooLong(value as string, field, mask),
  facts: (field) => ({ ...textFacts(field), encrypted: true, mask: MASK, maskType: 'all' }),
})
