import { asDecimal } from '../../base/decimal-json.ts'
import { type FieldType, WrongKind } from './field-type.ts'

/** A number with a fraction or an exponent, as numbers that may have a fraction are kept. */
const DECIMAL = /^-?\d+(?:\.|E)/

const readValue = (text: string): unknown => (DECIMAL.test(text) ? asDecimal(Number(text)) : JSON.parse(text))

/** A value of another field, stored as JSON text. Only the platform writes it. (docs/reference/api/history.md) */
export const anytype: FieldType = {
  name: 'anytype',
  label: 'Any',
  graphql: 'String',
  describedAs: 'anyType',
  soapType: 'xsd:anyType',
  typescript: 'unknown',
  file: undefined,
  sourceFormat: undefined,
  inColumns: undefined,
  history: { dataType: 'Text' },
  column: () => 'text collate "C"',
  parameter: 'text',
  coerce() {
    throw new WrongKind('anyType')
  },
  read: (value) => readValue(value as string),
  literal: 'string',
  operators: [],
  sortable: false,
  groupable: false,
  aggregatable: false,
}
