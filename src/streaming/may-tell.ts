import type { Field } from '../schema/fields/field.ts'
import { WrongKind } from '../schema/fields/field-type.ts'
import { mayShow } from '../schema/fields/told-field.ts'

/** Kinds of values that the type of JSON alone does not tell from others. */
const FORMED: ReadonlySet<string> = new Set(['date', 'dateTime', 'time', 'int'])

function fits(field: Field, value: unknown): boolean {
  const { typescript, literal } = field.type
  if (typescript !== 'unknown' && typeof value !== typescript) return false
  if (!FORMED.has(literal)) return true
  try {
    field.type.coerce(value, field)
    return true
  } catch (error) {
    if (error instanceof WrongKind) return false
    throw error
  }
}

/**
 * True if an event may tell a value that the log has of a field. The field may have been changed since: values of one that is encrypted now are
 * told no more, nor those that are none of its type.
 */
export const mayTell = (field: Field, value: unknown): boolean =>
  value === null || (mayShow(field) && fits(field, value))
