import type { Field } from '../../schema/fields/field.ts'
import type { GraphqlKind } from '../../schema/fields/field-type.ts'

/** Kinds of values that have wrappers, operators and aggregates of their own. Compound fields have none of these. */
export type ValueKind = Exclude<GraphqlKind, 'Address' | 'Location'> | 'Latitude' | 'Longitude' | 'Long'

/** Kinds whose values are written as JSON numbers. */
export const NUMBERS: readonly ValueKind[] = [
  'Int',
  'Long',
  'Double',
  'Currency',
  'Percent',
  'Latitude',
  'Longitude',
]

/** The parts of a location have kinds of their own. */
function getPartKind({ name, definition }: Field): 'Latitude' | 'Longitude' | undefined {
  if (definition.compound === undefined) return undefined
  if (/Latitude(__s)?$/.test(name)) return 'Latitude'
  return /Longitude(__s)?$/.test(name) ? 'Longitude' : undefined
}

/** The kind of a field's values; undefined for compound fields. (docs/reference/api/graphql.md#values) */
export function getValueKind(field: Field): ValueKind | undefined {
  const { graphql } = field.type
  if (graphql === 'Address' || graphql === 'Location') return undefined
  return getPartKind(field) ?? graphql
}
