import { textType } from './text.ts'

export const phone = textType({ name: 'phone', graphql: 'PhoneNumber', searchedAs: 'phone' })
