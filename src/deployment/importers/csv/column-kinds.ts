import { ApiError } from '../../../base/api-error.ts'
import { isDay } from '../../../schema/fields/date.ts'
import { parseTimestamp } from '../../../schema/fields/datetime.ts'
import { email } from '../../../schema/fields/email.ts'
import { parseTime } from '../../../schema/fields/time.ts'
import { makeFields } from '../../../schema/objects/object-type.ts'

const emailField = makeFields({
  name: 'X__c',
  label: '',
  labelPlural: '',
  keyPrefix: '',
  fields: [{ name: 'E__c', label: '', type: 'email', length: 255 }],
}).find(({ name }) => name === 'E__c')!

function isEmail(value: string): boolean {
  if (!value.includes('@')) return false
  try {
    email.validate!(value, emailField)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Maximum digits that a JSON number represents exactly. */
const EXACT_DIGITS = 15

/** With an exponent as results of queries have it: `1.15E8`. */
const DECIMAL = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+|[1-9]\.\d+E-?\d{1,2})$/

/**
 * Kinds of values other than text, the narrowest first. Numbers with leading zeros and numbers with too many digits
 * are text, because they are identifiers.
 */
export const COLUMN_KINDS = {
  boolean: (value) => /^(?:true|false)$/i.test(value),
  whole: (value) => /^-?(?:0|[1-9]\d*)$/.test(value) && value.replace('-', '').length <= EXACT_DIGITS,
  decimal: (value) =>
    DECIMAL.test(value) && value.replace(/E.*/, '').replaceAll(/\D/g, '').length <= EXACT_DIGITS,
  date: isDay,
  datetime: (value) => parseTimestamp(value) !== undefined,
  time: (value) => parseTime(value) !== undefined,
  email: isEmail,
  url: (value) => /^(?:https?:\/\/|www\.)\S+$/i.test(value),
  phone: (value) =>
    /^\+?[\d\s()./-]+$/.test(value) && value.length <= 40 && value.replaceAll(/\D/g, '').length >= 6,
} as const satisfies Record<string, (value: string) => boolean>

export type ColumnKind = keyof typeof COLUMN_KINDS
