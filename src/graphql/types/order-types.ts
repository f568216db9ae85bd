import { GraphQLFloat, type GraphQLInputFieldConfig, GraphQLInputObjectType, GraphQLNonNull } from 'graphql'
import { isSortable } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { getMembers } from '../values/members.ts'
import { makeBranchesInput } from './filter-types.ts'
import type { OrgTypes } from './org-types.ts'
import { makeEnum } from './scalars.ts'

const order = { type: makeEnum('ResultOrder', ['ASC', 'DESC']), default: { value: 'ASC' } }
const nulls = { type: makeEnum('NullOrder', ['FIRST', 'LAST']), default: { value: 'FIRST' } }

const OrderByClause = new GraphQLInputObjectType({ name: 'OrderByClause', fields: { order, nulls } })

const DEGREES = new GraphQLNonNull(GraphQLFloat)

const DistanceInput = new GraphQLInputObjectType({
  name: 'DistanceInput',
  fields: { latitude: { type: DEGREES }, longitude: { type: DEGREES } },
})

const OrderByGeolocationClause = new GraphQLInputObjectType({
  name: 'OrderByGeolocationClause',
  fields: { distance: { type: DistanceInput }, order, nulls },
})

/** Clause types that documents may name. */
export const ORDER_TYPES = [OrderByClause, OrderByGeolocationClause]

/** `<Object>_OrderBy`: the sort keys of records, in the order of the members. (docs/reference/api/graphql.md#order) */
export function makeOrderType(types: OrgTypes, object: ObjectType, name: string): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    fields: () => {
      const fields: Record<string, GraphQLInputFieldConfig> = {}
      for (const [memberName, member] of getMembers(object, types.schema)) {
        switch (member.kind) {
          case 'id':
            fields.Id = { type: OrderByClause }
            break
          case 'value':
            if (member.field !== undefined && isSortable(member.field))
              fields[memberName] = { type: OrderByClause }
            break
          case 'compound':
            fields[memberName] = { type: OrderByGeolocationClause }
            break
          case 'parent':
            fields[memberName] = { type: types.of(member.object, 'order') }
            break
          case 'anyParent': {
            const branches = `${object.name}_${memberName}_OrderBys`
            fields[memberName] = {
              type: makeBranchesInput(types, branches, member.targets, 'order'),
            }
          }
        }
      }
      return fields
    },
  })
}
