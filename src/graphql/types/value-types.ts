import { type GraphQLFieldConfigMap, GraphQLObjectType, GraphQLString } from 'graphql'
import { NUMBERS, type ValueKind } from '../values/value-kind.ts'
import { SCALARS } from './scalars.ts'

/** What a wrapper has beside `value` and `displayValue`. (docs/reference/api/graphql.md#values) */
const LABELLED: readonly ValueKind[] = ['String', 'Picklist', 'MultiPicklist']
export const FORMATTED: readonly ValueKind[] = [...NUMBERS, 'Date', 'DateTime', 'Time']

/** A value, and how it is shown. */
export function wrapperFields(kind: ValueKind): GraphQLFieldConfigMap<unknown, unknown> {
  const text = { type: GraphQLString }
  return {
    value: { type: SCALARS[kind] },
    displayValue: text,
    ...(LABELLED.includes(kind) ? { label: text } : {}),
    ...(FORMATTED.includes(kind) ? { format: text } : {}),
  }
}

const wrapper = (kind: ValueKind) =>
  new GraphQLObjectType({ name: `${kind}Value`, fields: wrapperFields(kind) })

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

/** `StringValue`, `CurrencyValue`, ...: a value with the ways in which it is shown. */
export const VALUE_TYPES = Object.fromEntries(KINDS.map((kind) => [kind, wrapper(kind)])) as Readonly<
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
