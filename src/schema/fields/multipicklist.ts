import type { Field } from './field.ts'
import type { FieldType } from './field-type.ts'
import { getListPosition, listedValue, picklistFile, validateListed } from './picklist-value.ts'
import { coerceText, isLonger, textType, validateLength } from './text.ts'

/** The chosen values once each, in the order of their definition, unlisted ones last. */
const inOrder = (values: readonly string[], field: Field): string[] =>
  [...new Set(values)].sort((a, b) => getListPosition(a, field) - getListPosition(b, field))

const SEPARATOR = ';'
const MAX_LENGTH = 4099
/** Rows that people see of it. */
const ROWS = 4

/** Several values of a list, kept and shown as `A;B`. */
export const multipicklist: FieldType = textType({
  name: 'multipicklist',
  label: 'Picklist (Multi-Select)',
  file: {
    ...picklistFile,
    properties: [...picklistFile.properties, 'precision'],
    defaults: { length: MAX_LENGTH, precision: ROWS },
    maxLength: MAX_LENGTH,
    hasRows: true,
  },
  sourceFormat: {
    name: 'MultiselectPicklist',
    reads: ['required', 'values', 'rows'],
    write: ({ precision }) => ({ visibleLines: precision }),
  },
  history: { dataType: 'MultiEnum' },
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
  facts: (field) => ({
    length: field.length!,
    byteLength: field.length!,
    precision: field.precision ?? ROWS,
  }),
})
