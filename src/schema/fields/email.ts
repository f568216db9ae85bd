import { ApiError } from '../../base/api-error.ts'
import { textType, validateLength } from './text.ts'

/** One @ with something on both sides, a dot in the domain, no blanks: what the interface refuses, no more. */
const EMAIL = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(\.[^\s@<>()[\]\\,;:".]+)+$/

/** True if a text has the form of an e-mail address. */
export const isEmail = (text: string): boolean => EMAIL.test(text)

export const email = textType({
  name: 'email',
  graphql: 'Email',
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
