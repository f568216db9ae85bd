import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

/** Ids by object. Always in one order, so that two calls with the same parents cannot deadlock. */
export function groupByObject(
  ctx: Pick<Context, 'schema'>,
  ids: readonly string[],
): Map<ObjectType, readonly string[]> {
  const grouped = Map.groupBy(new Set(ids), (id) => ctx.schema.objectOfId(id)!)
  return new Map(
    [...grouped]
      .sort(([a], [b]) => (a.name < b.name ? -1 : 1))
      .map(([object, listed]) => [object, listed.sort()] as const),
  )
}
