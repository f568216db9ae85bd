import { sql } from '../../base/sql.ts'
import { isBytes } from '../../storage/database/waiting-bytes.ts'
import { type FieldType, WrongKind } from './field-type.ts'

const NO_DIGIT = /[^A-Za-z0-9+/\s]/
const NO_END = /[^=\s]/

/** The bytes of a text; undefined: it has other characters than digits, or something behind its end. */
function decode(text: string): Buffer | undefined {
  const end = text.indexOf('=')
  const digits = end < 0 ? text.length : end
  if (NO_END.test(text.slice(digits))) return undefined
  const bytes = Buffer.from(text, 'base64')
  // Buffer ignores characters that are not base64 digits and accepts base64url. Testing each character is slower than decoding.
  const hasOnlyDigits = digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4)
  if (hasOnlyDigits && !text.includes('-') && !text.includes('_')) return bytes
  return NO_DIGIT.test(text.slice(0, digits)) ? undefined : bytes
}

/** Bytes. Written as base64 text, shown as the address where they can be fetched. (docs/reference/api/records.md#field-values) */
export const base64: FieldType = {
  name: 'base64',
  graphql: 'Base64',
  describedAs: 'base64',
  soapType: 'xsd:base64Binary',
  column: () => 'bytea',
  parameter: 'bytea',
  holdsBytes: true,
  readAsAddress: true,
  // Not compressed, so that a range can be read without the bytes before it.
  storage: 'external',
  coerce(value) {
    // Bytes from a multipart part.
    if (isBytes(value)) return value
    const bytes = typeof value === 'string' ? decode(value) : undefined
    if (bytes === undefined) throw new WrongKind('base64Binary')
    return (value as string).trim() === '' ? null : bytes
  },
  selected: (column) => sql`(${column} is not null)`,
  read: (value, recordUrl, field) => (value === true ? `${recordUrl}/${field.name}` : null),
  literal: 'string',
  operators: [],
  sortable: false,
  groupable: false,
  aggregatable: false,
}
