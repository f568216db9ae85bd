import { rowRule } from '../../access/row-rules.sql.ts'
import { secondsText } from '../../base/clock.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

/** Who asks, when and where: what a statement needs beyond its plan. */
export interface QueryContext {
  readonly userId: string
  /** The day it is for the user: `2026-11-20`. */
  readonly today: string
  /** The second it is: `2026-11-20T21:30:00Z`. */
  readonly now: string
  /** Name of the user's time zone: `Europe/Oslo`. */
  readonly timeZone: string
  /** 1 to 12. */
  readonly fiscalStartMonth: number
  /** Records in the recycle bin too: queryAll. */
  readonly deletedToo: boolean
  /**
   * The condition on records of an object under an alias that they are visible; undefined: all of them are.
   * @param sought whether they are what a statement looks for; else they are known by their ids or their parents
   */
  readonly visibleRows: (object: ObjectType, alias: string, sought?: boolean) => Sql | undefined
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** The day that it is somewhere, as `2026-11-20`. */
function dayIn(timeZone: string, now: Date): string {
  const format = getOrInsert(
    dayFormats,
    timeZone,
    () => new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  )
  return format.format(now)
}

export function makeQueryContext(ctx: Context, deletedToo: boolean): QueryContext {
  const { principal, clock } = ctx
  const { userId, timeZone, fiscalStartMonth } = principal
  return {
    userId,
    timeZone,
    fiscalStartMonth,
    deletedToo,
    visibleRows: (object, alias, sought = false) => {
      if (!sought) return rowRule(ctx, object, alias, 'read')
      const spread = ctx.access.fewOf.has(object.name) ? 'few' : 'any'
      // Whose records are looked for decides by which index they are best found.
      return rowRule(ctx, object, alias, 'read', spread)?.replanned()
    },
    // Few queries ask for them.
    get today() {
      return dayIn(timeZone, clock())
    },
    get now() {
      return secondsText(clock())
    },
  }
}
