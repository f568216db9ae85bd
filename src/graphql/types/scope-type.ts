import { GraphQLEnumType } from 'graphql'
import { type ScopeName, supportedScopes } from '../../schema/describe/supported-scopes.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

const spelled = (name: ScopeName) => name.toUpperCase()

/** Whose records: `MINE`, `EVERYTHING`, ... as far as the object has them. (docs/reference/api/graphql.md#records) */
export function scopeType(object: ObjectType, name: string): GraphQLEnumType {
  const values = supportedScopes(object).map((scope) => [spelled(scope.name), { description: scope.label }])
  return new GraphQLEnumType({ name, values: Object.fromEntries(values) })
}

export const scopeNamed = (spelling: string) => spelling.toLowerCase() as ScopeName
