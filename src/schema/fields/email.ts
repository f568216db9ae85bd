import { ApiError } from '../../base/api-error.ts'
import type { FieldType } from './field-type.ts'
import { MAX_SHORT_LENGTH, shortTextFile, textType, validateLength } from './text.ts'

/** One @ with something on both sides, a dot in the domain, no blanks: what the interface refuses, no more. */
const EMAIL = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(\.[^\s@<>()[\]\\,;:".]+)+$/

/** True if a text has the form of an e-mail address. */
export const isEmail = (text: string): boolean => EMAIL.test(text)

const LENGTH = 80

export const email: FieldType = textType({
  name: 'email',
  label: 'Email',
  graphql: 'Email',
  file: shortTextFile(LENGTH),
  sourceFormat: { name: 'Email', reads: ['length', 'required', 'key'] },
  inColumns: {
    has: isEmail,
    makeField: ({ longest }) =>
      longest > MAX_SHORT_LENGTH
        ? undefined
        : { length: longest <= LENGTH ? LENGTH : MAX_SHORT_LENGTH, because: 'mail addresses' },
  },
  history: { dataType: 'Email' },
  searchedAs: 'email',
  validate(value, field) {
    validateLength(value, field)
    if (!isEmail(value as string)) {
      throw new ApiError('INVALID_EMAIL_ADDRESS', `${field.label}: invalid email address: ${value}`, {
        fields: [field.name],
      })
    }
  },
})
