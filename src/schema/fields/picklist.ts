import { listedValue, validateListed } from './picklist-value.ts'
import { coerceText, textType, validateLength } from './text.ts'

export const picklist = textType({
  name: 'picklist',
  graphql: 'Picklist',
  listed: true,
  formula: { type: 'Picklist' },
  sortedAsListed: true,
  controllingValues: (listed) => listed,
  coerce(value, field) {
    const text = coerceText(value)
    return text === null ? null : listedValue(text, field)
  },
  validate(value, field) {
    validateLength(value, field)
    validateListed(value as string, field)
  },
})
