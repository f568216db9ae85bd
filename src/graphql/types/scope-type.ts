import { GraphQLEnumType } from 'graphql'
import { type ScopeName, supportedScopes } from '../../schema/describe/supported-scopes.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

const formatScopeName = (name: ScopeName) => name.toUpperCase()

/** The scopes that an object supports: `MINE`, `EVERYTHING`, .... (docs/reference/api/graphql.md#records) */
export function makeScopeType(object: ObjectType, name: string): GraphQLEnumType {
  const values = supportedScopes(object).map((scope) => [
    formatScopeName(scope.name),
    { description: scope.label },
  ])
  return new GraphQLEnumType({ name, values: Object.fromEntries(values) })
}

export const parseScopeName = (spelling: string) => spelling.toLowerCase() as ScopeName
