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
}

/**
 * The errors of records that were written and now stand above themselves, or too far below the top.
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
  const { reference, maxLevels = Number.POSITIVE_INFINITY } = hierarchy
  const field = object.field(reference)!
  const placed = records.filter(({ values }) => (values.get(field) ?? null) !== null)
  if (placed.length === 0) return refusals
  await ctx.db.query(hierarchySql.lock(ctx.org, object))
  const ids = placed.map(({ id }) => id)
  const rows = await ctx.db.query<Above>(hierarchySql.above(ctx.org, object, field, ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const record of placed) {
    const { levels = 0, isLoop = false } = byId.get(record.id) ?? {}
    if (isLoop)
      refusals.set(
        record,
        new ApiError('CIRCULAR_DEPENDENCY', 'attempt to violate hierarchy constraints', {
          fields: [reference],
        }),
      )
    else if (levels >= maxLevels) {
      const message = `A hierarchy has at most ${maxLevels} levels`
      refusals.set(record, new ApiError('FIELD_INTEGRITY_EXCEPTION', message, { fields: [reference] }))
    }
  }
  return refusals
}
