import { type GraphQLInputFieldConfig, GraphQLInputObjectType, GraphQLList } from 'graphql'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { membersOf } from '../values/members.ts'
import type { ValueKind } from '../values/value-kind.ts'
import { branchesInput } from './branches-input.ts'
import { GeolocationOperators, OPERATOR_TYPES } from './operator-types.ts'
import type { OrgTypes } from './org-types.ts'

/** The operators of a field; undefined: nothing can be asked of it. */
function operatorsOf(types: OrgTypes, field: Field, kind: ValueKind) {
  if (kind === 'ID') return types.idOperators
  const operators = OPERATOR_TYPES[kind]
  // Long texts are named here as the platform does; asking for them is refused when the query runs.
  return field.type.operators.length > 0 || kind === 'LongTextArea' ? operators : undefined
}

/** `<Object>_Filter`: what records can be asked for. Its members are all meant at once. */
export function filterType(types: OrgTypes, object: ObjectType, name: string): GraphQLInputObjectType {
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name,
    fields: () => {
      const fields: Record<string, GraphQLInputFieldConfig> = {}
      const add = (member: string, requested: GraphQLInputObjectType | undefined) => {
        if (requested !== undefined) fields[member] = { type: requested }
      }
      for (const [memberName, member] of membersOf(object, types.schema)) {
        switch (member.kind) {
          case 'id':
            add('Id', types.idOperators)
            break
          case 'value':
            if (member.field !== undefined) add(memberName, operatorsOf(types, member.field, member.values))
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
              branchesInput(types, `${object.name}_${memberName}_Filters`, member.targets, 'filter'),
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
