import type { FieldType } from './field-type.ts'
import {
  countCharacters,
  labelWithLength,
  longTextFile,
  longTextType,
  refuseTooLong,
  textFacts,
} from './text.ts'
import { writeLength } from './type-in-source-format.ts'

const MASK = '*'
const MAX_LENGTH = 175

/** All of it is hidden but its length: `****`. */
const mask = (text: string) => MASK.repeat(countCharacters(text))

export const encryptedstring: FieldType = longTextType({
  name: 'encryptedstring',
  label: labelWithLength('Text (Encrypted)'),
  graphql: 'EncryptedString',
  file: longTextFile(MAX_LENGTH, MAX_LENGTH),
  sourceFormat: {
    name: 'EncryptedText',
    reads: ['mask', 'length', 'required'],
    write: (field) => ({ ...writeLength(field), maskChar: 'asterisk', maskType: 'all' }),
  },
  describedAs: 'encryptedstring',
  encrypted: { mask },
  formula: undefined,
  csvText: undefined,
  // The error must not contain the value: clients and imports log errors.
  validate: (value, field) => refuseTooLong(value as string, field, mask),
  facts: (field) => ({ ...textFacts(field), encrypted: true, mask: MASK, maskType: 'all' }),
})
