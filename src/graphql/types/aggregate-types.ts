import { type GraphQLFieldConfig, type GraphQLFieldConfigMap, GraphQLObjectType } from 'graphql'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { DATE_FUNCTIONS, type DateFunction } from '../../soql/parse/function-names.ts'
import type { ValueKind } from '../values/value-kind.ts'
import { getAggregateMembers } from './aggregate-members.ts'
import { makeEdgeType, makePageType } from './connection-types.ts'
import type { OrgTypes } from './org-types.ts'
import { SUMMARIES } from './summaries.ts'
import { makeWrapperFields, VALUE_TYPES } from './value-types.ts'

type Output = GraphQLFieldConfig<unknown, unknown>

/** The member name of a date function: `calendarYear` for `CALENDAR_YEAR`. */
const memberName = (name: DateFunction) =>
  name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** Parts of a date that records may be grouped by. */
export const DATE_PARTS: ReadonlyMap<string, { readonly function: DateFunction; readonly kind: ValueKind }> =
  new Map(
    DATE_FUNCTIONS.map((name) => [
      memberName(name),
      { function: name, kind: name === 'DAY_ONLY' ? 'Date' : 'Long' },
    ]),
  )

function makePartFields(): GraphQLFieldConfigMap<unknown, unknown> {
  const parts = [...DATE_PARTS].map(([name, { function: part, kind }]): [string, Output] => [
    name,
    { type: VALUE_TYPES[kind], description: `Of records that are grouped by ${part} of the field.` },
  ])
  return Object.fromEntries(parts)
}

function makeFieldAggregateType(kind: ValueKind): GraphQLObjectType {
  const { functions, grouping } = SUMMARIES[kind]!
  const { value, ...shown } = makeWrapperFields(kind)
  const summed = Object.entries(functions).map(([name, { kind: result }]): [string, Output] => [
    name,
    { type: VALUE_TYPES[result] },
  ])
  return new GraphQLObjectType({
    name: `${kind}Aggregate`,
    description:
      kind === 'Date' ? 'Of dates and of datetimes: then min and max are timestamps, not dates.' : undefined,
    fields: {
      value: { ...value!, description: 'Of records that are grouped by the field.' },
      ...shown,
      ...Object.fromEntries(summed),
      ...(grouping
        ? { grouping: { type: VALUE_TYPES.Int, description: '1 where the group sums up over the field.' } }
        : {}),
      ...(kind === 'Date' ? makePartFields() : {}),
    },
  })
}

const KINDS = (Object.keys(SUMMARIES) as ValueKind[]).filter((kind) => kind !== 'DateTime')
const made = Object.fromEntries(KINDS.map((kind) => [kind, makeFieldAggregateType(kind)])) as Record<
  ValueKind,
  GraphQLObjectType
>

/** `CurrencyAggregate`, ...: aggregates of a field's values. (docs/reference/api/graphql.md#aggregates) */
export const AGGREGATE_TYPES: Readonly<Record<ValueKind, GraphQLObjectType>> = {
  ...made,
  DateTime: made.Date,
}

/** `<Object>AggregateConnection`: groups of records of an object. */
export const makeAggregateConnectionType = (types: OrgTypes, object: ObjectType, name: string) =>
  makePageType(name, () => types.of(object, 'aggregateEdge'))

/** `<Object>AggregateEdge` */
export const makeAggregateEdgeType = (types: OrgTypes, object: ObjectType, name: string) =>
  makeEdgeType(name, () => types.of(object, 'result'))

/** `<Object>Result`: a group. */
export const makeResultType = (types: OrgTypes, object: ObjectType, name: string) =>
  new GraphQLObjectType({ name, fields: () => ({ aggregate: { type: types.of(object, 'aggregate') } }) })

/** `<Object>Aggregate`: aggregates of a group's records, or of their parents. */
export function makeAggregateType(types: OrgTypes, object: ObjectType, name: string): GraphQLObjectType {
  return new GraphQLObjectType({
    name,
    fields: () => {
      const fields: Record<string, Output> = {}
      for (const [memberName, member] of getAggregateMembers(object, types.schema)) {
        const type =
          member.kind === 'parent' ? types.of(member.object, 'aggregate') : AGGREGATE_TYPES[member.values]
        fields[memberName] = { type }
      }
      return fields
    },
  })
}
