import { textType } from './text.ts'

/** A text with proposals: the listed values are offered, any other is accepted. */
export const combobox = textType({ name: 'combobox', searchedAs: 'text', groupable: false, listed: true })
