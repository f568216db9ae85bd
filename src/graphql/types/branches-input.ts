import { GraphQLInputObjectType } from 'graphql'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { getBranches } from '../values/members.ts'
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
