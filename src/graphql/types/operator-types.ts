import {
  GraphQLBoolean,
  GraphQLFloat,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql'
import { FIXED_DATE_LITERALS } from '../../soql/parse/date-literal-names.ts'
import { DATE_FUNCTIONS } from '../../soql/parse/function-names.ts'
import { enumOf } from '../values/enum-of.ts'
import type { ValueKind } from '../values/value-kind.ts'
import { SCALARS } from './scalars.ts'

/** What fields can be compared with, by the kind of their values. (docs/reference/api/graphql.md#filters) */

const COMPARED = ['eq', 'ne', 'like', 'lt', 'gt', 'lte', 'gte']
const LISTED = ['in', 'nin']

function members(names: readonly string[], type: GraphQLInputType): GraphQLInputFieldConfigMap {
  return Object.fromEntries(names.map((name) => [name, { type }]))
}

const listsOf = (type: GraphQLInputType) => members(LISTED, new GraphQLList(type))

function compared(
  name: string,
  type: GraphQLInputType,
  without: readonly string[] = [],
): GraphQLInputObjectType {
  const names = COMPARED.filter((one) => !without.includes(one))
  return new GraphQLInputObjectType({ name, fields: { ...members(names, type), ...listsOf(type) } })
}

const NOT_LIKE = ['like']

const LongOperators = compared('LongOperators', SCALARS.Long, NOT_LIKE)
const DatePrimitiveOperators = compared('DatePrimitiveOperators', SCALARS.Date, NOT_LIKE)

/** A part of a date, in UTC or in the user's time zone. */
function partInput(name: string, operators: GraphQLInputObjectType): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    fields: { value: { type: operators }, convertTimezoneValue: { type: operators } },
  })
}

const DateFunctionInput = partInput('DateFunctionInput', LongOperators)
const DateTimeFunctionInput = partInput('DateTimeFunctionInput', DatePrimitiveOperators)

const DateLiteral = enumOf('DateLiteral', FIXED_DATE_LITERALS)

/** `last_n_days` and its kin: named days that are counted. */
const RANGE_UNITS = ['days', 'weeks', 'months', 'quarters', 'years', 'fiscal_quarters', 'fiscal_years']

const DateRange = new GraphQLInputObjectType({
  name: 'DateRange',
  description: 'Days counted from today; one member.',
  fields: members(
    RANGE_UNITS.flatMap((unit) => [`last_n_${unit}`, `next_n_${unit}`, `n_${unit}_ago`]),
    GraphQLInt,
  ),
})

const dated = (name: string, value: GraphQLInputType) =>
  new GraphQLInputObjectType({
    name,
    description: 'A value, a named day, or days counted from today: one of them.',
    fields: { value: { type: value }, literal: { type: DateLiteral }, range: { type: DateRange } },
  })

const NOT_OF_DATES = ['HOUR_IN_DAY', 'DAY_ONLY']
const DATE_PARTS = DATE_FUNCTIONS.filter((name) => !NOT_OF_DATES.includes(name))

function dateOperators(name: string, input: GraphQLInputObjectType, more: GraphQLInputFieldConfigMap = {}) {
  const names = COMPARED.filter((one) => !NOT_LIKE.includes(one))
  const parts = members(DATE_PARTS, DateFunctionInput)
  return new GraphQLInputObjectType({
    name,
    fields: { ...members(names, input), ...listsOf(input), ...parts, ...more },
  })
}

const Unit = enumOf('Unit', ['MI', 'KM'])
const DEGREES = new GraphQLNonNull(GraphQLFloat)

const GeolocationInput = new GraphQLInputObjectType({
  name: 'GeolocationInput',
  fields: {
    latitude: { type: DEGREES },
    longitude: { type: DEGREES },
    radius: { type: DEGREES },
    unit: { type: new GraphQLNonNull(Unit) },
  },
})

/** Of places: nearer or farther than so many miles or kilometres. */
export const GeolocationOperators = new GraphQLInputObjectType({
  name: 'GeolocationOperators',
  fields: members(['lt', 'gt'], GeolocationInput),
})

const chosen = new GraphQLList(SCALARS.MultiPicklist)

/** By kind; those of ids belong to an org, because they reach into its objects. */
export const OPERATOR_TYPES: Readonly<Record<Exclude<ValueKind, 'ID'>, GraphQLInputObjectType | undefined>> =
  {
    String: compared('StringOperators', SCALARS.String),
    TextArea: compared('TextAreaOperators', SCALARS.TextArea),
    LongTextArea: compared('LongTextAreaOperators', SCALARS.LongTextArea),
    RichTextArea: undefined,
    Email: compared('EmailOperators', SCALARS.Email),
    PhoneNumber: compared('PhoneNumberOperators', SCALARS.PhoneNumber),
    Url: compared('UrlOperators', SCALARS.Url),
    Picklist: compared('PicklistOperators', SCALARS.Picklist),
    MultiPicklist: new GraphQLInputObjectType({
      name: 'MultiPicklistOperators',
      fields: {
        ...members(['eq', 'ne'], SCALARS.MultiPicklist),
        includes: { type: chosen },
        excludes: { type: chosen },
      },
    }),
    EncryptedString: undefined,
    Base64: undefined,
    Boolean: new GraphQLInputObjectType({
      name: 'BooleanOperators',
      fields: members(['eq', 'ne'], GraphQLBoolean),
    }),
    Int: compared('IntegerOperators', GraphQLInt, NOT_LIKE),
    Long: LongOperators,
    Double: compared('DoubleOperators', SCALARS.Double, NOT_LIKE),
    Currency: compared('CurrencyOperators', SCALARS.Currency, NOT_LIKE),
    Percent: compared('PercentOperators', SCALARS.Percent, NOT_LIKE),
    Latitude: compared('LatitudeOperators', SCALARS.Latitude, NOT_LIKE),
    Longitude: compared('LongitudeOperators', SCALARS.Longitude, NOT_LIKE),
    Date: dateOperators('DateOperators', dated('DateInput', SCALARS.Date)),
    DateTime: dateOperators('DateTimeOperators', dated('DateTimeInput', SCALARS.DateTime), {
      HOUR_IN_DAY: { type: DateFunctionInput },
      DAY_ONLY: { type: DateTimeFunctionInput },
    }),
    Time: compared('TimeOperators', SCALARS.Time, NOT_LIKE),
  }

/** Of ids; with those that other records have. */
export function idOperators(join: GraphQLInputObjectType): GraphQLInputObjectType {
  const names = COMPARED.filter((one) => !NOT_LIKE.includes(one))
  return new GraphQLInputObjectType({
    name: 'IdOperators',
    fields: () => ({
      ...members(names, SCALARS.ID),
      ...listsOf(SCALARS.ID),
      ...members(['inq', 'ninq'], join),
    }),
  })
}
