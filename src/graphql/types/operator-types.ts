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
import type { ValueKind } from '../values/value-kind.ts'
import { makeEnum, SCALARS } from './scalars.ts'

/** The operators of fields, by the kind of their values. (docs/reference/api/graphql.md#filters) */

const COMPARED = ['eq', 'ne', 'like', 'lt', 'gt', 'lte', 'gte']
const LISTED = ['in', 'nin']

function makeMembers(names: readonly string[], type: GraphQLInputType): GraphQLInputFieldConfigMap {
  return Object.fromEntries(names.map((name) => [name, { type }]))
}

const makeListMembers = (type: GraphQLInputType) => makeMembers(LISTED, new GraphQLList(type))

function makeComparisonOperators(
  name: string,
  type: GraphQLInputType,
  without: readonly string[] = [],
): GraphQLInputObjectType {
  const names = COMPARED.filter((one) => !without.includes(one))
  return new GraphQLInputObjectType({
    name,
    fields: { ...makeMembers(names, type), ...makeListMembers(type) },
  })
}

const NOT_LIKE = ['like']

const LongOperators = makeComparisonOperators('LongOperators', SCALARS.Long, NOT_LIKE)
const DatePrimitiveOperators = makeComparisonOperators('DatePrimitiveOperators', SCALARS.Date, NOT_LIKE)

/** A part of a date, in UTC or in the user's time zone. */
function makePartInput(name: string, operators: GraphQLInputObjectType): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    fields: { value: { type: operators }, convertTimezoneValue: { type: operators } },
  })
}

const DateFunctionInput = makePartInput('DateFunctionInput', LongOperators)
const DateTimeFunctionInput = makePartInput('DateTimeFunctionInput', DatePrimitiveOperators)

const DateLiteral = makeEnum('DateLiteral', FIXED_DATE_LITERALS)

/** Units of `last_n_days` and the other counted ranges. */
const RANGE_UNITS = ['days', 'weeks', 'months', 'quarters', 'years', 'fiscal_quarters', 'fiscal_years']

const DateRange = new GraphQLInputObjectType({
  name: 'DateRange',
  description: 'Days counted from today; one member.',
  fields: makeMembers(
    RANGE_UNITS.flatMap((unit) => [`last_n_${unit}`, `next_n_${unit}`, `n_${unit}_ago`]),
    GraphQLInt,
  ),
})

const makeDateInput = (name: string, value: GraphQLInputType) =>
  new GraphQLInputObjectType({
    name,
    description: 'A value, a named day, or days counted from today: one of them.',
    fields: { value: { type: value }, literal: { type: DateLiteral }, range: { type: DateRange } },
  })

const NOT_OF_DATES = ['HOUR_IN_DAY', 'DAY_ONLY']
const DATE_PARTS = DATE_FUNCTIONS.filter((name) => !NOT_OF_DATES.includes(name))

function makeDateOperators(
  name: string,
  input: GraphQLInputObjectType,
  more: GraphQLInputFieldConfigMap = {},
) {
  const names = COMPARED.filter((one) => !NOT_LIKE.includes(one))
  const parts = makeMembers(DATE_PARTS, DateFunctionInput)
  return new GraphQLInputObjectType({
    name,
    fields: { ...makeMembers(names, input), ...makeListMembers(input), ...parts, ...more },
  })
}

const Unit = makeEnum('Unit', ['MI', 'KM'])
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

/** Of locations: nearer or farther than a distance in miles or kilometres. */
export const GeolocationOperators = new GraphQLInputObjectType({
  name: 'GeolocationOperators',
  fields: makeMembers(['lt', 'gt'], GeolocationInput),
})

const chosen = new GraphQLList(SCALARS.MultiPicklist)

/** By kind. The operators of ids are in `OrgTypes`, because they depend on the org's objects. */
export const OPERATOR_TYPES: Readonly<Record<Exclude<ValueKind, 'ID'>, GraphQLInputObjectType | undefined>> =
  {
    String: makeComparisonOperators('StringOperators', SCALARS.String),
    TextArea: makeComparisonOperators('TextAreaOperators', SCALARS.TextArea),
    LongTextArea: makeComparisonOperators('LongTextAreaOperators', SCALARS.LongTextArea),
    RichTextArea: undefined,
    Email: makeComparisonOperators('EmailOperators', SCALARS.Email),
    PhoneNumber: makeComparisonOperators('PhoneNumberOperators', SCALARS.PhoneNumber),
    Url: makeComparisonOperators('UrlOperators', SCALARS.Url),
    Picklist: makeComparisonOperators('PicklistOperators', SCALARS.Picklist),
    MultiPicklist: new GraphQLInputObjectType({
      name: 'MultiPicklistOperators',
      fields: {
        ...makeMembers(['eq', 'ne'], SCALARS.MultiPicklist),
        includes: { type: chosen },
        excludes: { type: chosen },
      },
    }),
    EncryptedString: undefined,
    Base64: undefined,
    Boolean: new GraphQLInputObjectType({
      name: 'BooleanOperators',
      fields: makeMembers(['eq', 'ne'], GraphQLBoolean),
    }),
    Int: makeComparisonOperators('IntegerOperators', GraphQLInt, NOT_LIKE),
    Long: LongOperators,
    Double: makeComparisonOperators('DoubleOperators', SCALARS.Double, NOT_LIKE),
    Currency: makeComparisonOperators('CurrencyOperators', SCALARS.Currency, NOT_LIKE),
    Percent: makeComparisonOperators('PercentOperators', SCALARS.Percent, NOT_LIKE),
    Latitude: makeComparisonOperators('LatitudeOperators', SCALARS.Latitude, NOT_LIKE),
    Longitude: makeComparisonOperators('LongitudeOperators', SCALARS.Longitude, NOT_LIKE),
    Date: makeDateOperators('DateOperators', makeDateInput('DateInput', SCALARS.Date)),
    DateTime: makeDateOperators('DateTimeOperators', makeDateInput('DateTimeInput', SCALARS.DateTime), {
      HOUR_IN_DAY: { type: DateFunctionInput },
      DAY_ONLY: { type: DateTimeFunctionInput },
    }),
    Time: makeComparisonOperators('TimeOperators', SCALARS.Time, NOT_LIKE),
  }

/** Operators of ids, with semi-joins. */
export function makeIdOperators(join: GraphQLInputObjectType): GraphQLInputObjectType {
  const names = COMPARED.filter((one) => !NOT_LIKE.includes(one))
  return new GraphQLInputObjectType({
    name: 'IdOperators',
    fields: () => ({
      ...makeMembers(names, SCALARS.ID),
      ...makeListMembers(SCALARS.ID),
      ...makeMembers(['inq', 'ninq'], join),
    }),
  })
}
