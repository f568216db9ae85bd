import {
  type GraphQLEnumType,
  type GraphQLInputFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
} from 'graphql'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { type AggregateMember, getAggregateMembers } from './aggregate-members.ts'
import type { OrgTypes } from './org-types.ts'
import { makeEnum } from './scalars.ts'
import { SUMMARIES } from './summaries.ts'

const order = { type: makeEnum('ResultsOrder', ['ASC', 'DESC']), default: { value: 'ASC' } }
const nulls = { type: makeEnum('NullsOrder', ['FIRST', 'LAST']), default: { value: 'FIRST' } }

function makeClauseType(name: string, functions?: GraphQLEnumType): GraphQLInputObjectType {
  const more: GraphQLInputFieldConfigMap =
    functions === undefined
      ? {}
      : { function: { type: functions, description: 'Absent: the field that the groups are made by.' } }
  return new GraphQLInputObjectType({ name, fields: { ...more, order, nulls } })
}

const COMPARING = ['COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN']

const AggregateOrderByStringClause = makeClauseType(
  'AggregateOrderByStringClause',
  makeEnum('AggregateOrderByStringFunction', COMPARING),
)
const AggregateOrderByNumberClause = makeClauseType(
  'AggregateOrderByNumberClause',
  makeEnum('AggregateOrderByNumberFunction', [...COMPARING, 'AVG', 'SUM']),
)
const NoFunctionAggregateOrderByClause = makeClauseType('NoFunctionAggregateOrderByClause')

/** Clause types that documents may name. */
export const AGGREGATE_ORDER_TYPES = [
  AggregateOrderByStringClause,
  AggregateOrderByNumberClause,
  NoFunctionAggregateOrderByClause,
]

/** The clause type for sorting groups by a field; undefined if they cannot be. */
function getClauseType({ field, values }: AggregateMember & { kind: 'field' }) {
  if (values === 'Time') return undefined
  if (values === 'Boolean' || field.referenceTo.length > 0) return NoFunctionAggregateOrderByClause
  return SUMMARIES[values]!.functions.sum === undefined
    ? AggregateOrderByStringClause
    : AggregateOrderByNumberClause
}

/** `<Object>_AggregateOrderBy`: the sort keys of groups, in the order of the members. */
export function makeAggregateOrderType(
  types: OrgTypes,
  object: ObjectType,
  name: string,
): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    fields: () => {
      const fields: Record<string, GraphQLInputFieldConfig> = {}
      for (const [memberName, member] of getAggregateMembers(object, types.schema)) {
        const type =
          member.kind === 'parent' ? types.of(member.object, 'aggregateOrder') : getClauseType(member)
        if (type !== undefined) fields[memberName] = { type }
      }
      return fields
    },
  })
}
