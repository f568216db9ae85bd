import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLID,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  print,
  type ValueNode,
} from 'graphql'
import { isDay } from '../../schema/fields/date.ts'
import { parseTimestamp } from '../../schema/fields/datetime.ts'
import { coerceNumber } from '../../schema/fields/number.ts'
import { parseTime } from '../../schema/fields/time.ts'

/*
 * Scalars beyond GraphQL's own. They only check input: values of records are returned as stored,
 * and the write path parses written values. (docs/reference/api/graphql.md#values)
 */

type Check = (value: unknown) => boolean

const formatValue = (value: unknown) => String(JSON.stringify(value)).slice(0, 255)

/** A scalar for strings or numbers that pass a check. */
function makeScalar(name: string, description: string, fits: Check): GraphQLScalarType {
  const coerce = (value: unknown) => {
    if (fits(value)) return value
    throw new GraphQLError(`${name} cannot represent the value: ${formatValue(value)}`)
  }
  const literal = (node: ValueNode): unknown => {
    if (node.kind === Kind.STRING) return node.value
    return node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined
  }
  return new GraphQLScalarType({
    name,
    description,
    coerceInputValue: coerce,
    coerceInputLiteral(node) {
      const value = literal(node)
      if (fits(value)) return value
      throw new GraphQLError(`${name} cannot represent the value: ${print(node).slice(0, 255)}`, {
        nodes: node,
      })
    },
  })
}

const isText: Check = (value) => typeof value === 'string'
const makeTextScalar = (name: string, description: string, fits: Check = isText) =>
  makeScalar(name, description, fits)

const checkText =
  (fits: (value: string) => boolean): Check =>
  (value) =>
    typeof value === 'string' && fits(value.trim())

const isNumber: Check = (value) => {
  try {
    return coerceNumber(value, 'number') !== null
  } catch {
    return false
  }
}

const makeNumberScalar = (name: string, description: string) =>
  makeScalar(name, `${description} Written as a number or as a text that reads as one.`, isNumber)

const isWhole: Check = (value) => isNumber(value) && Number.isInteger(Number(value))

/** The scalar of each kind of values, and a few others. */
export const SCALARS = {
  String: GraphQLString,
  ID: GraphQLID,
  Boolean: GraphQLBoolean,
  Int: GraphQLInt,
  Picklist: makeTextScalar('Picklist', 'One of a list of values.'),
  MultiPicklist: makeTextScalar('MultiPicklist', 'Several of a list of values: `A;B`.'),
  TextArea: makeTextScalar('TextArea', 'A text of several lines.'),
  LongTextArea: makeTextScalar('LongTextArea', 'A long text.'),
  RichTextArea: makeTextScalar('RichTextArea', 'A long text with HTML in it.'),
  Email: makeTextScalar('Email', 'An e-mail address.'),
  PhoneNumber: makeTextScalar('PhoneNumber', 'A phone number.'),
  Url: makeTextScalar('Url', 'An address of a page.'),
  EncryptedString: makeTextScalar('EncryptedString', 'A text that is kept encrypted.'),
  Base64: makeTextScalar('Base64', 'Bytes: written as base64 text, shown as the address where they are.'),
  Date: makeTextScalar('Date', 'A day: `2026-11-20`.', checkText(isDay)),
  DateTime: makeTextScalar(
    'DateTime',
    'A timestamp: `2026-11-20T21:30:00.000Z`.',
    checkText((value) => parseTimestamp(value) !== undefined),
  ),
  Time: makeTextScalar(
    'Time',
    'A time of day: `21:30:00.000Z`.',
    checkText((value) => parseTime(value) !== undefined),
  ),
  Long: makeScalar('Long', 'A whole number.', isWhole),
  Double: makeNumberScalar('Double', 'A number.'),
  Currency: makeNumberScalar('Currency', 'An amount of money.'),
  Percent: makeNumberScalar('Percent', 'A percentage.'),
  Latitude: makeNumberScalar('Latitude', 'Degrees north.'),
  Longitude: makeNumberScalar('Longitude', 'Degrees east.'),
  IdOrRef: makeTextScalar(
    'IdOrRef',
    'The id of a record, or `@{alias}`: the id that an earlier operation gives.',
  ),
} as const

/** An enum whose values are their own names. */
export const makeEnum = (name: string, values: readonly string[]) =>
  new GraphQLEnumType({ name, values: Object.fromEntries(values.map((value) => [value, {}])) })
