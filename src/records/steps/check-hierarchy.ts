import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import { hierarchySql } from './hierarchy.sql.ts'

interface Above {
  readonly id: string
  readonly levels: number
  readonly isLoop: boolean
  readonly loop: string
}

const loopError = (reference: string) =>
  new ApiError('CIRCULAR_DEPENDENCY', 'attempt to violate hierarchy constraints', { fields: [reference] })

const depthError = (reference: string, maxLevels: number) =>
  new ApiError('FIELD_INTEGRITY_EXCEPTION', `A hierarchy has at most ${maxLevels} levels`, {
    fields: [reference],
  })

/** The records that close a loop: of those of a list that are in one loop, the last. */
function findClosing(
  records: readonly PlannedRecord[],
  above: ReadonlyMap<string, Above>,
): readonly PlannedRecord[] {
  const closing = new Map<string, PlannedRecord>()
  for (const record of records) {
    const { isLoop = false, loop = '' } = above.get(record.id) ?? {}
    if (isLoop) closing.set(loop, record)
  }
  return [...closing.values()]
}

/**
 * The errors of records that were written and now stand above themselves, or too far below the top, or have others there.
 * @param isNew nothing is below a new record, so it makes no loop
 */
export async function checkHierarchy(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  isNew = false,
): Promise<Refusals<PlannedRecord>> {
  const refusals: Refusals<PlannedRecord> = new Map()
  const hierarchy = findBehaviour(object)?.hierarchy
  if (hierarchy === undefined || (isNew && hierarchy.maxLevels === undefined)) return refusals
  const { reference, maxLevels } = hierarchy
  const field = object.field(reference)!
  const placed = records.filter(({ values }) => (values.get(field) ?? null) !== null)
  if (placed.length === 0) return refusals
  await ctx.db.query(hierarchySql.lock(ctx.org, object))
  const ids = placed.map(({ id }) => id)
  const rows = await ctx.db.query<Above>(hierarchySql.above(ctx.org, object, field, ids))
  const above = new Map(rows.map((row) => [row.id, row]))
  for (const record of findClosing(placed, above)) refusals.set(record, loopError(reference))
  if (maxLevels === undefined || refusals.size > 0) return refusals
  const counted = isNew
    ? []
    : await ctx.db.query<{ id: string; below: number }>(hierarchySql.below(ctx.org, object, field, ids))
  const below = new Map(counted.map((row) => [row.id, row.below]))
  for (const record of placed) {
    const levels = (above.get(record.id)?.levels ?? 0) + 1 + (below.get(record.id) ?? 0)
    if (levels > maxLevels) refusals.set(record, depthError(reference, maxLevels))
  }
  return refusals
}
