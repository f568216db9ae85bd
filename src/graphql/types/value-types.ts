import { type GraphQLFieldConfigMap, GraphQLObjectType, GraphQLString } from 'graphql'
import { NUMBERS, type ValueKind } from '../values/value-kind.ts'
import { SCALARS } from './scalars.ts'

/** Kinds whose wrappers have `label` or `format` besides `value` and `displayValue`. (docs/reference/api/graphql.md#values) */
const LABELLED: readonly ValueKind[] = ['String', 'Picklist', 'MultiPicklist']
export const FORMATTED: readonly ValueKind[] = [...NUMBERS, 'Date', 'DateTime', 'Time']

/** A value and its display forms. */
export function makeWrapperFields(kind: ValueKind): GraphQLFieldConfigMap<unknown, unknown> {
  const text = { type: GraphQLString }
  return {
    value: { type: SCALARS[kind] },
    displayValue: text,
    ...(LABELLED.includes(kind) ? { label: text } : {}),
    ...(FORMATTED.includes(kind) ? { format: text } : {}),
  }
}

const makeWrapperType = (kind: ValueKind) =>
  new GraphQLObjectType({ name: `${kind}Value`, fields: makeWrapperFields(kind) })

const KINDS: readonly ValueKind[] = [
  'String',
  'Picklist',
  'MultiPicklist',
  'TextArea',
  'LongTextArea',
  'RichTextArea',
  'Email',
  'PhoneNumber',
  'Url',
  'EncryptedString',
  'Base64',
  'ID',
  'Boolean',
  ...FORMATTED,
]

/** `StringValue`, `CurrencyValue`, ...: a value with its display forms. */
export const VALUE_TYPES = Object.fromEntries(KINDS.map((kind) => [kind, makeWrapperType(kind)])) as Readonly<
  Record<ValueKind, GraphQLObjectType>
>

const location = {
  latitude: { type: VALUE_TYPES.Latitude },
  longitude: { type: VALUE_TYPES.Longitude },
}

/** Compound values: their parts, each wrapped, under the names that REST gives them. */
export const COMPOUND_TYPES = {
  Address: new GraphQLObjectType({
    name: 'AddressValue',
    fields: {
      street: { type: VALUE_TYPES.TextArea },
      city: { type: VALUE_TYPES.String },
      state: { type: VALUE_TYPES.String },
      postalCode: { type: VALUE_TYPES.String },
      country: { type: VALUE_TYPES.String },
      geocodeAccuracy: { type: VALUE_TYPES.Picklist },
      ...location,
    },
  }),
  Location: new GraphQLObjectType({ name: 'LocationValue', fields: location }),
} as const
