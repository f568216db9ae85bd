import { GraphQLEnumType, type GraphQLFieldConfigArgumentMap, GraphQLInt, GraphQLString } from 'graphql'
import { hasChange } from '../../base/api-version.ts'
import { type ScopeName, supportedScopes } from '../../schema/describe/supported-scopes.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { OrgTypes } from './org-types.ts'

const formatScopeName = (name: ScopeName) => name.toUpperCase()

/** The scopes that an object supports: `MINE`, `EVERYTHING`, .... (docs/reference/api/graphql.md#records) */
function makeScopeType(object: ObjectType, name: string): GraphQLEnumType {
  const values = supportedScopes(object).map((scope) => [
    formatScopeName(scope.name),
    { description: scope.label },
  ])
  return new GraphQLEnumType({ name, values: Object.fromEntries(values) })
}

export const parseScopeName = (spelling: string) => spelling.toLowerCase() as ScopeName

const after = { type: GraphQLString, description: 'The cursor behind which the page starts.' }

/** Arguments that filter records. */
const makeFilterArguments = (types: OrgTypes, object: ObjectType): GraphQLFieldConfigArgumentMap => ({
  where: { type: types.of(object, 'filter') },
  scope: {
    type: types.getOrMake(`${object.name.toUpperCase()}_SCOPE`, (name) => makeScopeType(object, name)),
  },
})

/** The arguments of a connection to records. (docs/reference/api/graphql.md#records, docs/reference/api/graphql.md#pages) */
export function makeConnectionArguments(types: OrgTypes, object: ObjectType): GraphQLFieldConfigArgumentMap {
  return {
    first: { type: GraphQLInt, description: 'How many; 10 when absent.' },
    after,
    ...makeFilterArguments(types, object),
    orderBy: { type: types.of(object, 'order') },
    ...(hasChange(types.version, 'graphqlUpperBound')
      ? { upperBound: { type: GraphQLInt, description: 'For walks through more than 4,000 records.' } }
      : {}),
  }
}

/** The arguments of a connection to groups of records. (docs/reference/api/graphql.md#aggregates) */
export function makeAggregateArguments(types: OrgTypes, object: ObjectType): GraphQLFieldConfigArgumentMap {
  return {
    first: { type: GraphQLInt, description: 'How many groups; all of them when absent.' },
    after,
    ...makeFilterArguments(types, object),
    groupBy: { type: types.of(object, 'groupBy') },
    orderBy: { type: types.of(object, 'aggregateOrder') },
  }
}
