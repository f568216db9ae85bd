import { ApiError } from '../../base/api-error.ts'
import { sql } from '../../base/sql.ts'
import type { Field } from './field.ts'
import { type FieldType, WrongKind } from './field-type.ts'
import { isLonger } from './text.ts'

/** Most characters of a document, in the text that `JSON.stringify` makes, and with all digits of its numbers. */
const MAX_LENGTH = 131_072
/** Most levels of lists and objects in each other. */
const MAX_LEVELS = 32

const notJson = () => new WrongKind('json')

/** The database stores neither. */
function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw notJson()
}

/** The database writes all digits of `1e308`: it counts as what is stored and read, not as five characters. */
const countDigits = (value: number) =>
  value === 0 ? 1 : 1 + Math.abs(Math.floor(Math.log10(Math.abs(value))))

/**
 * Refuses what is no JSON, or not stored as it is. Looks at no more than a document may have.
 * @param room characters that are left
 * @returns the same after this value; negative: the document is too long
 */
function checkValue(value: unknown, level: number, room: number): number {
  if (room < 0) return room
  if (typeof value === 'string') {
    // A character may be two units.
    const left = room - value.length / 2
    if (left >= 0) checkText(value)
    return left
  }
  if (value === null || typeof value === 'boolean') return room - 1
  if (typeof value === 'number') {
    // A number beyond the doubles was read as Infinity.
    if (!Number.isFinite(value)) throw notJson()
    return room - countDigits(value)
  }
  const isList = Array.isArray(value)
  if (!isList && (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype))
    throw notJson()
  if (level === MAX_LEVELS) throw notJson()
  let left = room - 1
  for (const [name, member] of Object.entries(value as object)) {
    if (!isList) left = checkValue(name, level, left)
    left = checkValue(member, level + 1, left)
    if (left < 0) return left
  }
  return left
}

const refuseTooLong = (field: Field) =>
  new ApiError('STRING_TOO_LONG', `${field.label}: data value too large (max length=${MAX_LENGTH})`, {
    fields: [field.name],
  })

function readText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A document of any form: an object, a list, a text, a number or a boolean. (docs/reference/api/records.md#field-values) */
export const json: FieldType = {
  name: 'json',
  label: 'JSON',
  graphql: 'String',
  // A client that reads a text type expects a string.
  describedAs: 'anyType',
  soapType: 'xsd:anyType',
  typescript: 'unknown',
  file: { properties: ['trackHistory', 'required'], defaults: { length: MAX_LENGTH } },
  sourceFormat: undefined,
  inColumns: undefined,
  importedFrom: { json: undefined, jsonb: undefined },
  history: { dataType: 'Text' },
  column: () => 'jsonb',
  parameter: 'jsonb',
  long: true,
  hasMembers: true,
  csvText: (column) => sql`${column}::text`,
  readText,
  writeText: JSON.stringify,
  coerce(value, field) {
    if (value === '') return null
    if (checkValue(value, 0, MAX_LENGTH) < 0) throw refuseTooLong(field)
    const text = JSON.stringify(value)
    if (isLonger(text, MAX_LENGTH)) throw refuseTooLong(field)
    return text
  },
  literal: 'string',
  operators: [],
  sortable: false,
  groupable: false,
  aggregatable: false,
  facts: () => ({ length: MAX_LENGTH, byteLength: 3 * MAX_LENGTH }),
}
