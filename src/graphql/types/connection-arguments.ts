import { type GraphQLFieldConfigArgumentMap, GraphQLInt, GraphQLString } from 'graphql'
import { hasChange } from '../../base/api-version.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { OrgTypes } from './org-types.ts'
import { scopeType } from './scope-type.ts'

const after = { type: GraphQLString, description: 'The cursor behind which the page starts.' }

/** Which records are meant. */
const wanted = (types: OrgTypes, object: ObjectType): GraphQLFieldConfigArgumentMap => ({
  where: { type: types.of(object, 'filter') },
  scope: { type: types.once(`${object.name.toUpperCase()}_SCOPE`, (name) => scopeType(object, name)) },
})

/** What a connection to records takes. (docs/reference/api/graphql.md#records, docs/reference/api/graphql.md#pages) */
export function connectionArguments(types: OrgTypes, object: ObjectType): GraphQLFieldConfigArgumentMap {
  return {
    first: { type: GraphQLInt, description: 'How many; 10 when absent.' },
    after,
    ...wanted(types, object),
    orderBy: { type: types.of(object, 'order') },
    ...(hasChange(types.version, 'graphqlUpperBound')
      ? { upperBound: { type: GraphQLInt, description: 'For walks through more than 4,000 records.' } }
      : {}),
  }
}

/** What a connection to groups of records takes. (docs/reference/api/graphql.md#aggregates) */
export function aggregateArguments(types: OrgTypes, object: ObjectType): GraphQLFieldConfigArgumentMap {
  return {
    first: { type: GraphQLInt, description: 'How many groups; all of them when absent.' },
    after,
    ...wanted(types, object),
    groupBy: { type: types.of(object, 'groupBy') },
    orderBy: { type: types.of(object, 'aggregateOrder') },
  }
}
