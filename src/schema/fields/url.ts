import { textType } from './text.ts'

export const url = textType({ name: 'url', searchedAs: 'text' })
