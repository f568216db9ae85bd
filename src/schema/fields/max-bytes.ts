import type { Field } from './field.ts'

/** Maximum size of numbers, times, ids and the like, and of addresses of values. */
const SHORT_BYTES = 40
const ADDRESS_BYTES = 200

/** Of texts whose definition has no length. */
const TEXT_BYTES = 255
const FORMULA_TEXT_BYTES = 3900
const SEVERAL_VALUES_BYTES = 4099

function maxTextBytes({ type, definition, formula }: Field): number {
  if (definition.length !== undefined) return definition.length
  if (formula !== undefined) return FORMULA_TEXT_BYTES
  return type.separator === undefined ? TEXT_BYTES : SEVERAL_VALUES_BYTES
}

/** Returns the maximum size of a value of the field in an answer, with its name; in bytes, where each letter is one. */
export function maxBytes(field: Field): number {
  const { name, type, parts } = field
  if (parts.length > 0) return parts.reduce((total, part) => total + maxBytes(part), name.length)
  if (type.readAsAddress === true) return name.length + ADDRESS_BYTES
  return name.length + (type.literal === 'string' ? maxTextBytes(field) : SHORT_BYTES)
}
