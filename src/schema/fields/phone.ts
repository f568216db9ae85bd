import { textType } from './text.ts'

export const phone = textType({ name: 'phone', searchedAs: 'phone' })
