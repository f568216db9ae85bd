import type { FieldDefinition, PicklistValue, StatusProperties } from '../fields/field-definition.ts'

const NAMES = [
  'closed',
  'won',
  'probability',
  'forecastCategory',
  'converted',
  'highPriority',
  'statusCode',
] as const satisfies readonly (keyof StatusProperties)[]

type Values = FieldDefinition['values']
type Entry = string | PicklistValue

/** Properties of a status value. */
export function getStatus(value: PicklistValue): StatusProperties {
  const said = NAMES.filter((name) => value[name] !== undefined)
  return Object.fromEntries(said.map((name) => [name, value[name]]))
}

export const saysStatus = (value: PicklistValue): boolean => NAMES.some((name) => value[name] !== undefined)

const getText = (entry: Entry) => (typeof entry === 'string' ? entry : entry.value)

/** Gives values that say nothing of their status what the same ones of another list say. */
export function withStatusOf(values: Values, others: Values): Values {
  if (values === undefined || others === undefined) return values
  const known = new Map(
    others.flatMap((entry) =>
      typeof entry === 'string' || !saysStatus(entry) ? [] : [[entry.value.toLowerCase(), entry] as const],
    ),
  )
  if (known.size === 0) return values
  return values.map((entry) => {
    const other = known.get(getText(entry).toLowerCase())
    if (other === undefined || (typeof entry !== 'string' && saysStatus(entry))) return entry
    return { ...(typeof entry === 'string' ? { value: entry } : entry), ...getStatus(other) }
  })
}
