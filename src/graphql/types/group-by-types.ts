import { GraphQLBoolean, type GraphQLInputFieldConfig, GraphQLInputObjectType } from 'graphql'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { DATE_FUNCTIONS } from '../../soql/parse/function-names.ts'
import { enumOf } from '../values/enum-of.ts'
import { type AggregateMember, aggregateMembersOf } from './aggregate-members.ts'
import type { OrgTypes } from './org-types.ts'

const group = { type: GraphQLBoolean }
const part = { type: enumOf('GroupByFunction', DATE_FUNCTIONS) }

/** What records are grouped by: a field as it is, a part of a date, either. */
const GroupByClause = new GraphQLInputObjectType({ name: 'GroupByClause', fields: { group } })
const GroupByDateFunction = new GraphQLInputObjectType({
  name: 'GroupByDateFunction',
  fields: { function: part },
})
const GroupByDateClause = new GraphQLInputObjectType({
  name: 'GroupByDateClause',
  fields: { group, function: part },
})

const GroupByType = enumOf('GroupByType', ['GROUP_BY', 'ROLLUP', 'CUBE'])

/** Clauses that documents may name the types of. */
export const GROUP_BY_TYPES = [GroupByClause, GroupByDateFunction, GroupByDateClause, GroupByType]

/** How a field is grouped by; undefined: it is not. (docs/reference/api/graphql.md#aggregates) */
function clauseOf({ field, values }: AggregateMember & { kind: 'field' }) {
  if (values === 'DateTime') return GroupByDateFunction
  if (!field.type.groupable || values === 'TextArea') return undefined
  return values === 'Date' ? GroupByDateClause : GroupByClause
}

/** `<Object>_GroupBy`: what records are grouped by. */
export function groupByType(types: OrgTypes, object: ObjectType, name: string): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    fields: () => {
      const fields: Record<string, GraphQLInputFieldConfig> = {}
      for (const [memberName, member] of aggregateMembersOf(object, types.schema)) {
        const type = member.kind === 'parent' ? types.of(member.object, 'groupBy') : clauseOf(member)
        if (type !== undefined) fields[memberName] = { type }
      }
      return { ...fields, type: { type: GroupByType, description: 'With which subtotals; not of a parent.' } }
    },
  })
}
