import { ApiError } from '../base/api-error.ts'
import { secondsNow } from '../base/clock.ts'
import type { Call } from '../calls/call.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { findChanges } from '../records/read/changes.ts'
import type { TimeRange } from '../records/read/read.sql.ts'
import { BIN_DAYS } from '../records/recycle-bin/bin-time.ts'
import { isReplicateable } from '../schema/describe/describe-object.ts'
import { parseTimestamp, readTimestamp } from '../schema/fields/datetime.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { findObject } from './find-object.ts'

const MINUTE = 60
const DAY = 24 * 3600

/** How far back a range may begin, in days. */
const UPDATED_DAYS = 30
/** Earlier deletions may be purged. */
const DELETED_DAYS = BIN_DAYS

/** A moment of the address in seconds since 1970, cut to the minute. */
function parseMinute(call: Call, name: string): number {
  const text = call.query.get(name)
  if (text === null || text === '') {
    throw new ApiError(
      'MISSING_ARGUMENT',
      `The parameter ${name} is missing: a time like 2026-01-02T03:04:00Z`,
    )
  }
  const timestamp = parseTimestamp(text)
  if (timestamp === undefined) {
    const hint = / \d\d:?\d\d$/.test(text) ? '; a + in an address is written %2B' : ''
    throw new ApiError(
      'ILLEGAL_QUERY_PARAMETER_VALUE',
      `The parameter ${name} takes a time like 2026-01-02T03:04:00Z, not ${text.slice(0, 100)}${hint}`,
    )
  }
  return Math.floor(Date.parse(timestamp) / 1000 / MINUTE) * MINUTE
}

/** The range of a call in whole minutes. (docs/reference/api/records.md#changes) */
function parseRange(ctx: Context, call: Call, days: number): TimeRange {
  const [start, end] = [parseMinute(call, 'start'), parseMinute(call, 'end')]
  if (end - start < MINUTE) {
    throw new ApiError(
      'INVALID_REPLICATION_DATE',
      'endDate must be at least one minute greater than the startDate',
    )
  }
  const earliest = secondsNow(ctx.clock) - days * DAY
  if (start < earliest - MINUTE) {
    throw new ApiError(
      'INVALID_REPLICATION_DATE',
      `startDate before org replication enabled date: it may be ${days} days ago`,
    )
  }
  return { start, end }
}

/** The object of a call, whose records have to be the same for all callers and stay, as its describe says with `replicateable`. */
function findReplicated(ctx: Context, name: string): ObjectType {
  const object = findObject(ctx, name)
  if (isReplicateable(object)) return object
  throw new ApiError('INVALID_TYPE_FOR_OPERATION', `entity type ${object.name} does not support replication`)
}

const timestampText = (seconds: number) => new Date(seconds * 1000).toISOString().replace('Z', '+0000')

const updated: Handler<{ object: string }> = async (ctx, call, params) => {
  const object = findReplicated(ctx, params.object)
  const range = parseRange(ctx, call, UPDATED_DAYS)
  const { changed, coveredUntil } = await findChanges(ctx, object, range, false)
  return {
    status: 200,
    body: { ids: changed.map(([id]) => id), latestDateCovered: timestampText(coveredUntil) },
  }
}

const deleted: Handler<{ object: string }> = async (ctx, call, params) => {
  const object = findReplicated(ctx, params.object)
  const range = parseRange(ctx, call, DELETED_DAYS)
  const { changed, coveredUntil } = await findChanges(ctx, object, range, true)
  const earliest = Math.floor(secondsNow(ctx.clock)) - DELETED_DAYS * DAY
  return {
    status: 200,
    body: {
      deletedRecords: changed.map(([id, at]) => ({ deletedDate: readTimestamp(at), id })),
      earliestDateAvailable: timestampText(earliest),
      latestDateCovered: timestampText(coveredUntil),
    },
  }
}

/** Lists changed and deleted records for clients that keep a copy. (docs/reference/api/records.md#changes) */
export const changeRoutes = [
  route('GET', '/sobjects/:object/updated', 'sobject', updated),
  route('GET', '/sobjects/:object/deleted', 'sobject', deleted),
]
