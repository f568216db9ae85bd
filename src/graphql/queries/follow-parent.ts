import { ApiError } from '../../base/api-error.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { MAX_PARENT_LEVELS, type Scope } from '../../soql/analyze/scope.ts'
import type { FieldRef, Source } from '../../soql/plan/plan.ts'

/**
 * Joins the parent behind a reference, as one of the objects that it may point to. (docs/reference/api/graphql.md#limits)
 * @throws ApiError QUERY_TOO_COMPLICATED if the path has too many levels
 */
export function followParent(scope: Scope, via: FieldRef, object: ObjectType): Source {
  const parent = scope.joinParentAs(via, object)
  if (scope.getChain(parent).length - 1 > MAX_PARENT_LEVELS) {
    throw new ApiError(
      'QUERY_TOO_COMPLICATED',
      `A query may follow at most ${MAX_PARENT_LEVELS} parent relationships`,
    )
  }
  return parent
}
