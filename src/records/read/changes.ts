import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { makeTimestamp, settledSql } from '../../storage/database/timestamp.sql.ts'
import { changesSql, type TimeRange } from './read.sql.ts'
import { rowsFor } from './row-access.ts'

/** Maximum number of ids in one reply. */
const MAX_IDS = 600_000

/** A changed or deleted record with the time of its change, in PostgreSQL's format. */
type Changed = readonly [id: string, at: string]

interface Changes {
  readonly changed: readonly Changed[]
  /** No change before this time is missing, in seconds since 1970; writes in flight have a later time. */
  readonly coveredUntil: number
}

/**
 * The records visible to the caller that were created, changed or deleted in a time range, oldest change first.
 * (docs/reference/api/records.md#changes)
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
  // The covered time must be read before the changes: a write that commits in between is then reported next time.
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
