import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { makeTimestamp, settledSql } from '../../storage/database/timestamp.sql.ts'
import { changesSql, type TimeRange } from './changes.sql.ts'
import { rowsFor } from './row-access.ts'

/** Most ids of one answer. */
const MAX_IDS = 600_000

/** A record that was changed or deleted, and when, as PostgreSQL writes it. */
export type Changed = readonly [id: string, at: string]

interface Changes {
  readonly changed: readonly Changed[]
  /** Up to when no change is missing, in seconds since 1970: what is being written while somebody asks comes after it. */
  readonly coveredUntil: number
}

/**
 * The records that the caller sees and that were created or changed in a stretch of time, or deleted in it, oldest
 * change first. (docs/reference/api/records.md#changes)
 * @throws ApiError EXCEEDED_ID_LIMIT
 */
export async function findChanges(
  ctx: Context,
  object: ObjectType,
  range: TimeRange,
  isDeleted: boolean,
): Promise<Changes> {
  const { start, end } = range
  if (ctx.faults?.isCoverageStale) return { changed: [], coveredUntil: start }
  // First up to when all is there, then what is there.
  const [settled] = await ctx.db.query<{ settled: number }>(settledSql(makeTimestamp(ctx.clock())))
  const rule = rowsFor(ctx, object, 'read')
  const rows = await ctx.db.rows(changesSql(ctx.org, object, range, isDeleted, MAX_IDS + 1, rule))
  if (rows.length > MAX_IDS) {
    throw new ApiError('EXCEEDED_ID_LIMIT', `More than ${MAX_IDS} records: ask for a shorter time`)
  }
  return {
    changed: rows as readonly (readonly unknown[])[] as readonly Changed[],
    coveredUntil: Math.min(end, Math.floor(settled!.settled)),
  }
}
