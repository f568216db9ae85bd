import { textType } from './text.ts'

export const string = textType({
  name: 'string',
  searchedAs: 'text',
  namesRecords: true,
  formula: { type: 'Text', isResult: true },
})
