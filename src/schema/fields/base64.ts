import { sql } from '../../base/sql.ts'
import { WaitingBytes } from '../../storage/waiting-bytes.ts'
import { type FieldType, WrongKind } from './field-type.ts'

/** What no base64 text has: another character, or something behind the end. */
const NOT_BASE64 = /[^A-Za-z0-9+/=\s]|=\s*[^=\s]/

/** Bytes. Written as base64 text, shown as the address where they can be fetched. (contract/records 2.3) */
export const base64: FieldType = {
  name: 'base64',
  graphql: 'Base64',
  describedAs: 'base64',
  soapType: 'xsd:base64Binary',
  column: () => 'bytea',
  parameter: 'bytea',
  // Not compressed, so that a part of it is read without what stands before it.
  storage: 'external',
  coerce(value) {
    // As they came in a part of their own.
    if (value instanceof Uint8Array || value instanceof WaitingBytes) return value
    if (typeof value !== 'string' || NOT_BASE64.test(value)) throw new WrongKind('base64Binary')
    return value.trim() === '' ? null : Buffer.from(value, 'base64')
  },
  selected: (column) => sql`(${column} is not null)`,
  read: (value, recordUrl, field) => (value === true ? `${recordUrl}/${field.name}` : null),
  literal: 'string',
  operators: [],
  sortable: false,
  groupable: false,
  aggregatable: false,
}
