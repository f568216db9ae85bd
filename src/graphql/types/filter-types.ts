import { type GraphQLInputFieldConfig, GraphQLInputObjectType, GraphQLList } from 'graphql'
import { type Field, getOperators } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { getBranches, getMembers } from '../values/members.ts'
import type { ValueKind } from '../values/value-kind.ts'
import { GeolocationOperators, OPERATOR_TYPES } from './operator-types.ts'
import type { OrgTypes } from './org-types.ts'

/**
 * The input for a polymorphic reference: a member for each object, and one for the Name entity.
 * (docs/reference/api/graphql.md#filters, docs/reference/api/graphql.md#order)
 */
export function makeBranchesInput(
  types: OrgTypes,
  name: string,
  targets: readonly ObjectType[],
  kind: 'filter' | 'order',
): GraphQLInputObjectType {
  const fields = () =>
    Object.fromEntries(getBranches(targets).map((target) => [target.name, { type: types.of(target, kind) }]))
  return types.getOrMake(name, () => new GraphQLInputObjectType({ name, fields }))
}

/** The operators of a field; undefined if it cannot be filtered. */
function getOperatorType(types: OrgTypes, field: Field, kind: ValueKind) {
  if (kind === 'ID') return types.idOperators
  const operators = OPERATOR_TYPES[kind]
  // As on the vendor's platform, long texts have operators, but filters on them are rejected when the query runs.
  return getOperators(field).length > 0 || kind === 'LongTextArea' ? operators : undefined
}

/** `<Object>_Filter`: conditions on records. All members must hold. */
export function makeFilterType(types: OrgTypes, object: ObjectType, name: string): GraphQLInputObjectType {
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name,
    fields: () => {
      const fields: Record<string, GraphQLInputFieldConfig> = {}
      const add = (member: string, memberType: GraphQLInputObjectType | undefined) => {
        if (memberType !== undefined) fields[member] = { type: memberType }
      }
      for (const [memberName, member] of getMembers(object, types.schema)) {
        switch (member.kind) {
          case 'id':
            add('Id', types.idOperators)
            break
          case 'value':
            if (member.field !== undefined)
              add(memberName, getOperatorType(types, member.field, member.values))
            break
          case 'compound':
            add(memberName, GeolocationOperators)
            break
          case 'parent':
            add(memberName, types.of(member.object, 'filter'))
            break
          case 'anyParent':
            add(
              memberName,
              makeBranchesInput(types, `${object.name}_${memberName}_Filters`, member.targets, 'filter'),
            )
        }
      }
      return {
        ...fields,
        and: { type: new GraphQLList(type) },
        or: { type: new GraphQLList(type) },
        not: { type },
      }
    },
  })
  return type
}
