import { GraphQLBoolean, type GraphQLInputFieldConfig, GraphQLInputObjectType } from 'graphql'
import { isGroupable } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { DATE_FUNCTIONS } from '../../soql/parse/function-names.ts'
import { type AggregateMember, getAggregateMembers } from './aggregate-members.ts'
import type { OrgTypes } from './org-types.ts'
import { makeEnum } from './scalars.ts'

const group = { type: GraphQLBoolean }
const part = { type: makeEnum('GroupByFunction', DATE_FUNCTIONS) }

/** Group by a field, by a part of a date, or by either. */
const GroupByClause = new GraphQLInputObjectType({ name: 'GroupByClause', fields: { group } })
const GroupByDateFunction = new GraphQLInputObjectType({
  name: 'GroupByDateFunction',
  fields: { function: part },
})
const GroupByDateClause = new GraphQLInputObjectType({
  name: 'GroupByDateClause',
  fields: { group, function: part },
})

const GroupByType = makeEnum('GroupByType', ['GROUP_BY', 'ROLLUP', 'CUBE'])

/** Clause types that documents may name. */
export const GROUP_BY_TYPES = [GroupByClause, GroupByDateFunction, GroupByDateClause, GroupByType]

/** The clause type for grouping by a field; undefined if it is not groupable. (docs/reference/api/graphql.md#aggregates) */
function getClauseType({ field, values }: AggregateMember & { kind: 'field' }) {
  if (values === 'DateTime') return GroupByDateFunction
  if (!isGroupable(field) || values === 'TextArea') return undefined
  return values === 'Date' ? GroupByDateClause : GroupByClause
}

/** `<Object>_GroupBy`: the keys of groups. */
export function makeGroupByType(types: OrgTypes, object: ObjectType, name: string): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    fields: () => {
      const fields: Record<string, GraphQLInputFieldConfig> = {}
      for (const [memberName, member] of getAggregateMembers(object, types.schema)) {
        const type = member.kind === 'parent' ? types.of(member.object, 'groupBy') : getClauseType(member)
        if (type !== undefined) fields[memberName] = { type }
      }
      return { ...fields, type: { type: GroupByType, description: 'With which subtotals; not of a parent.' } }
    },
  })
}
