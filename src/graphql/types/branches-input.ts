import { GraphQLInputObjectType } from 'graphql'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { branchesOf } from '../values/members.ts'
import type { OrgTypes } from './org-types.ts'

/**
 * Behind a reference to several objects: a member for each of them, and one for what they have in common.
 * (docs/reference/api/graphql.md#filters, docs/reference/api/graphql.md#order)
 */
export function branchesInput(
  types: OrgTypes,
  name: string,
  targets: readonly ObjectType[],
  kind: 'filter' | 'order',
): GraphQLInputObjectType {
  const fields = () =>
    Object.fromEntries(branchesOf(targets).map((target) => [target.name, { type: types.of(target, kind) }]))
  return types.once(name, () => new GraphQLInputObjectType({ name, fields }))
}
