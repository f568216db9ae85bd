import {
  type GraphQLEnumType,
  type GraphQLInputFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
} from 'graphql'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { enumOf } from '../values/enum-of.ts'
import { type AggregateMember, aggregateMembersOf } from './aggregate-members.ts'
import type { OrgTypes } from './org-types.ts'
import { SUMMARIES } from './summaries.ts'

const order = { type: enumOf('ResultsOrder', ['ASC', 'DESC']), default: { value: 'ASC' } }
const nulls = { type: enumOf('NullsOrder', ['FIRST', 'LAST']), default: { value: 'FIRST' } }

function clause(name: string, functions?: GraphQLEnumType): GraphQLInputObjectType {
  const more: GraphQLInputFieldConfigMap =
    functions === undefined
      ? {}
      : { function: { type: functions, description: 'Absent: what the groups are made by.' } }
  return new GraphQLInputObjectType({ name, fields: { ...more, order, nulls } })
}

const COMPARING = ['COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN']

const AggregateOrderByStringClause = clause(
  'AggregateOrderByStringClause',
  enumOf('AggregateOrderByStringFunction', COMPARING),
)
const AggregateOrderByNumberClause = clause(
  'AggregateOrderByNumberClause',
  enumOf('AggregateOrderByNumberFunction', [...COMPARING, 'AVG', 'SUM']),
)
const NoFunctionAggregateOrderByClause = clause('NoFunctionAggregateOrderByClause')

/** Clauses that documents may name the types of. */
export const AGGREGATE_ORDER_TYPES = [
  AggregateOrderByStringClause,
  AggregateOrderByNumberClause,
  NoFunctionAggregateOrderByClause,
]

/** What groups are sorted by of a field; undefined: nothing. */
function clauseOf({ field, values }: AggregateMember & { kind: 'field' }) {
  if (values === 'Time') return undefined
  if (values === 'Boolean' || field.referenceTo.length > 0) return NoFunctionAggregateOrderByClause
  return SUMMARIES[values]!.functions.sum === undefined
    ? AggregateOrderByStringClause
    : AggregateOrderByNumberClause
}

/** `<Object>_AggregateOrderBy`: what groups are sorted by, in the order in which the members stand. */
export function aggregateOrderType(
  types: OrgTypes,
  object: ObjectType,
  name: string,
): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    fields: () => {
      const fields: Record<string, GraphQLInputFieldConfig> = {}
      for (const [memberName, member] of aggregateMembersOf(object, types.schema)) {
        const type = member.kind === 'parent' ? types.of(member.object, 'aggregateOrder') : clauseOf(member)
        if (type !== undefined) fields[memberName] = { type }
      }
      return fields
    },
  })
}
