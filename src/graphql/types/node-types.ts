import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql'
import { hasChange } from '../../base/api-version.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { getBranches, getMembers, type Member } from '../values/members.ts'
import { makeConnectionArguments } from './connection-arguments.ts'
import type { OrgTypes } from './org-types.ts'
import { SCALARS } from './scalars.ts'
import { COMPOUND_TYPES, VALUE_TYPES } from './value-types.ts'

type Output = GraphQLFieldConfig<unknown, unknown>

/** `<Object>_<Relationship>`: the parent is one of several objects, or a Name. */
function makeAnyParentType(types: OrgTypes, name: string, targets: readonly ObjectType[]): GraphQLUnionType {
  return types.getOrMake(
    name,
    () =>
      new GraphQLUnionType({
        name,
        types: () => getBranches(targets).map((target) => types.of(target, 'node')),
      }),
  )
}

function makeOutput(types: OrgTypes, object: ObjectType, name: string, member: Member): Output | undefined {
  switch (member.kind) {
    case 'id':
      return { type: new GraphQLNonNull(GraphQLID) }
    case 'apiName':
      return { type: new GraphQLNonNull(GraphQLString) }
    case 'etag':
      return { type: new GraphQLNonNull(SCALARS.Long) }
    case 'display':
      return { type: GraphQLString }
    case 'value': {
      const type = VALUE_TYPES[member.values]
      return name === 'RecordTypeId' ? { type, args: { fallback: { type: GraphQLBoolean } } } : { type }
    }
    case 'compound':
      return hasChange(types.version, 'graphqlCompoundFields')
        ? { type: COMPOUND_TYPES[member.type] }
        : undefined
    case 'parent':
      return { type: types.of(member.object, 'node') }
    case 'anyParent':
      return { type: makeAnyParentType(types, `${object.name}_${name}`, member.targets) }
    case 'children':
      return {
        type: types.of(member.object, 'connection'),
        args: makeConnectionArguments(types, member.object),
      }
  }
}

/** `<Object>`: a record. (docs/reference/api/graphql.md#nodes) */
export function makeNodeType(types: OrgTypes, object: ObjectType, name: string): GraphQLObjectType {
  return new GraphQLObjectType({
    name,
    interfaces: () => [types.record],
    fields: () => {
      const fields: Record<string, Output> = {}
      for (const [member, meant] of getMembers(object, types.schema)) {
        const output = makeOutput(types, object, member, meant)
        if (output !== undefined) fields[member] = output
      }
      return fields
    },
  })
}
