import type { Field } from './field.ts'
import { getListPosition, listedValue, validateListed } from './picklist-value.ts'
import { coerceText, isLonger, textType, validateLength } from './text.ts'

/** The chosen values once each, in the order of their definition, unlisted ones last. */
const inOrder = (values: readonly string[], field: Field): string[] =>
  [...new Set(values)].sort((a, b) => getListPosition(a, field) - getListPosition(b, field))

const SEPARATOR = ';'

/** Several values of a list, kept and shown as `A;B`. */
export const multipicklist = textType({
  name: 'multipicklist',
  graphql: 'MultiPicklist',
  listed: true,
  formula: { type: 'MultiPicklist' },
  separator: SEPARATOR,
  coerce(value, field) {
    const text = coerceText(value)
    // A text that is too long is refused as it is, before its members are looked at.
    if (text === null || isLonger(text, field.definition.length!)) return text
    const chosen = text
      .split(SEPARATOR)
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => listedValue(part, field))
    return chosen.length === 0 ? null : inOrder(chosen, field).join(SEPARATOR)
  },
  validate(value, field) {
    validateLength(value, field)
    for (const part of (value as string).split(SEPARATOR)) validateListed(part, field)
  },
  operators: ['equality', 'includes'],
  sortable: false,
  groupable: false,
  aggregatable: false,
  facts: (field) => ({ length: field.length!, byteLength: field.length!, precision: field.precision ?? 4 }),
})
