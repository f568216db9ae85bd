import { drain } from '../../base/run-in-slices.ts'
import { sql } from '../../base/sql.ts'
import { isBytes } from '../../storage/database/db.ts'
import { type FieldType, WrongKind } from './field-type.ts'

const NO_DIGIT = /[^A-Za-z0-9+/\s]/
const NO_END = /[^=\s]/
const BLANKS = /\s+/g

const notBase64 = () => new WrongKind('base64Binary')

/** Digits that are decoded between two pauses. Four of them are three bytes. */
const PIECE_DIGITS = 256 * 1024

/** Reads some of the digits, which may be the bytes of a text. */
const read = (given: string | Buffer, from: number, to: number) =>
  typeof given === 'string' ? given.slice(from, to) : given.toString('latin1', from, to)

/**
 * Decodes a text, or the bytes of one, in slices; null is a blank one.
 * @throws WrongKind if it has other characters than digits, or something behind its end
 */
export function* decodeInSlices(given: string | Buffer): Generator<void, Buffer | null> {
  const bytes = Buffer.allocUnsafe(Math.floor((given.length * 3) / 4))
  let at = 0
  let isBlank = true
  let hasEnded = false
  /** Digits of a piece that are no whole group of four. */
  let rest = ''
  for (let from = 0; from < given.length; from += PIECE_DIGITS) {
    if (from > 0) yield
    const piece = read(given, from, Math.min(from + PIECE_DIGITS, given.length))
    const end: number = hasEnded ? 0 : piece.indexOf('=')
    const digits = end < 0 ? piece : piece.slice(0, end)
    hasEnded = end >= 0
    // Buffer skips what is no digit, and takes base64url too.
    if (NO_DIGIT.test(digits) || (hasEnded && NO_END.test(piece.slice(end)))) throw notBase64()
    const known = rest + digits.replaceAll(BLANKS, '')
    isBlank &&= known === '' && !hasEnded
    const whole = known.length - (known.length % 4)
    at += bytes.write(known.slice(0, whole), at, 'base64')
    rest = known.slice(whole)
  }
  at += bytes.write(rest, at, 'base64')
  return isBlank ? null : bytes.subarray(0, at)
}

/** Bytes. Written as base64 text, shown as the address where they can be fetched. (docs/reference/api/records.md#field-values) */
export const base64: FieldType = {
  name: 'base64',
  label: 'Base64',
  graphql: 'Base64',
  describedAs: 'base64',
  soapType: 'xsd:base64Binary',
  typescript: 'string',
  file: { properties: ['required'] },
  sourceFormat: undefined,
  inColumns: undefined,
  importedFrom: { bytea: undefined },
  history: { dataType: 'Text' },
  column: () => 'bytea',
  parameter: 'bytea',
  holdsBytes: true,
  readAsAddress: true,
  // Not compressed, so that a range can be read without the bytes before it.
  storage: 'external',
  coerce(value) {
    // Bytes from a multipart part.
    if (isBytes(value)) return value
    if (typeof value !== 'string') throw notBase64()
    return drain(decodeInSlices(value))
  },
  selected: (column) => sql`(${column} is not null)`,
  read: (value, recordUrl, field) => (value === true ? `${recordUrl}/${field.name}` : null),
  literal: 'string',
  operators: [],
  sortable: false,
  groupable: false,
  aggregatable: false,
}
