import type { Field } from '../../schema/fields/field.ts'
import type { GraphqlKind } from '../../schema/fields/field-type.ts'

/** Kinds of values that have wrappers, operators and aggregates of their own. Compound fields have none of these. */
export type ValueKind = Exclude<GraphqlKind, 'Address' | 'Location'> | 'Latitude' | 'Longitude' | 'Long'

/** Kinds whose values are numbers, and are written so. */
export const NUMBERS: readonly ValueKind[] = [
  'Int',
  'Long',
  'Double',
  'Currency',
  'Percent',
  'Latitude',
  'Longitude',
]

/** A part of a place is more than a number. */
function partKind({ name, definition }: Field): 'Latitude' | 'Longitude' | undefined {
  if (definition.compound === undefined) return undefined
  if (/Latitude(__s)?$/.test(name)) return 'Latitude'
  return /Longitude(__s)?$/.test(name) ? 'Longitude' : undefined
}

/** The kind of a field's values; undefined: it is shown from its parts. (docs/reference/api/graphql.md#values) */
export function valueKind(field: Field): ValueKind | undefined {
  const { graphql } = field.type
  if (graphql === 'Address' || graphql === 'Location') return undefined
  return partKind(field) ?? graphql
}
