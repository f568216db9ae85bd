import {
  GraphQLBoolean,
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
 * Scalars beyond GraphQL's own. They only say what a client may write: values of records are shown as they are stored,
 * and what is written is read by the write path. (docs/reference/api/graphql.md#values)
 */

type Check = (value: unknown) => boolean

const shown = (value: unknown) => String(JSON.stringify(value)).slice(0, 255)

/** A scalar of texts or numbers that pass a check. */
function scalar(name: string, description: string, fits: Check): GraphQLScalarType {
  const coerce = (value: unknown) => {
    if (fits(value)) return value
    throw new GraphQLError(`${name} cannot represent the value: ${shown(value)}`)
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
const text = (name: string, description: string, fits: Check = isText) => scalar(name, description, fits)

const whenText =
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

const number = (name: string, description: string) =>
  scalar(name, `${description} Written as a number or as a text that reads as one.`, isNumber)

const isWhole: Check = (value) => isNumber(value) && Number.isInteger(Number(value))

/** Every scalar by the kind of values that it stands for, and the few that stand for none. */
export const SCALARS = {
  String: GraphQLString,
  ID: GraphQLID,
  Boolean: GraphQLBoolean,
  Int: GraphQLInt,
  Picklist: text('Picklist', 'One of a list of values.'),
  MultiPicklist: text('MultiPicklist', 'Several of a list of values: `A;B`.'),
  TextArea: text('TextArea', 'A text of several lines.'),
  LongTextArea: text('LongTextArea', 'A long text.'),
  RichTextArea: text('RichTextArea', 'A long text with HTML in it.'),
  Email: text('Email', 'An e-mail address.'),
  PhoneNumber: text('PhoneNumber', 'A phone number.'),
  Url: text('Url', 'An address of a page.'),
  EncryptedString: text('EncryptedString', 'A text that is kept encrypted.'),
  Base64: text('Base64', 'Bytes: written as base64 text, shown as the address where they are.'),
  Date: text('Date', 'A day: `2026-11-20`.', whenText(isDay)),
  DateTime: text(
    'DateTime',
    'A moment: `2026-11-20T21:30:00.000Z`.',
    whenText((value) => parseTimestamp(value) !== undefined),
  ),
  Time: text(
    'Time',
    'A time of day: `21:30:00.000Z`.',
    whenText((value) => parseTime(value) !== undefined),
  ),
  Long: scalar('Long', 'A whole number.', isWhole),
  Double: number('Double', 'A number.'),
  Currency: number('Currency', 'An amount of money.'),
  Percent: number('Percent', 'A percentage.'),
  Latitude: number('Latitude', 'Degrees north.'),
  Longitude: number('Longitude', 'Degrees east.'),
  IdOrRef: text('IdOrRef', 'The id of a record, or `@{alias}`: the id that an earlier operation gives.'),
} as const
