import { textType } from './text.ts'

export const url = textType({ name: 'url', graphql: 'Url', searchedAs: 'text' })
