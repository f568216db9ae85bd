import { rowRule, type Viewer } from '../../access/row-rules.sql.ts'
import { secondsText } from '../../base/clock.ts'
import type { FiscalYear } from '../../base/fiscal-year.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'

/** The user, time and visibility: what a statement needs beyond its plan. */
export interface QueryContext {
  readonly userId: string
  /** The schema as the user sees it, for which the plan was made. */
  readonly visible: SchemaSnapshot
  /** Current date in the user's time zone: `2026-11-20`. */
  readonly today: string
  /** Current time, to the second: `2026-11-20T21:30:00Z`. */
  readonly now: string
  /** Name of the user's time zone: `Europe/Oslo`. */
  readonly timeZone: string
  /** That of the org. */
  readonly fiscalYear: FiscalYear
  /** First day of the user's weeks, 0 (Sunday) to 6. */
  readonly weekStart: number
  /** Include records in the recycle bin, as queryAll does. */
  readonly deletedToo: boolean
  /**
   * The condition that records of an object under an alias are visible; undefined if all of them are.
   * @param sought whether the statement searches for these records; else it reaches them by their ids or parents
   */
  readonly visibleRows: (object: ObjectType, alias: string, sought?: boolean) => Sql | undefined
  /** The user whose access a query asks for; undefined: one who has none. */
  readonly namedUser?: Viewer | undefined
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** The date in a time zone: `2026-11-20`. */
function formatDay(timeZone: string, now: Date): string {
  const format = getOrInsert(
    dayFormats,
    timeZone,
    () => new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  )
  return format.format(now)
}

/** The part of Intl.Locale that its types lack. */
interface WeekLocale extends Intl.Locale {
  /** 1 (Monday) to 7. */
  getWeekInfo(): { readonly firstDay: number }
}

const weekStarts = new Map<string, number>()

/** The first day of a week where a locale is used, by CLDR; Sunday where that is not known. */
function findWeekStart(locale: string): number {
  try {
    const known = new Intl.Locale(locale.replaceAll('_', '-')) as WeekLocale
    return known.getWeekInfo().firstDay % 7
  } catch {
    return 0
  }
}

export function makeQueryContext(ctx: Context, deletedToo: boolean, namedUser?: Viewer): QueryContext {
  const { principal, clock } = ctx
  const { userId, locale, timeZone, fiscalYear } = principal
  return {
    userId,
    visible: ctx.visible,
    timeZone,
    fiscalYear,
    deletedToo,
    namedUser,
    visibleRows: (object, alias, sought = false) => {
      if (!sought) return rowRule(ctx, object, alias, 'read')
      const spread = ctx.access.fewOf.has(object.name) ? 'few' : 'any'
      // The best index depends on how many of the records the user may see, so PostgreSQL plans for each user.
      return rowRule(ctx, object, alias, 'read', spread)?.replanned()
    },
    // Getters: few queries need them.
    get weekStart() {
      return getOrInsert(weekStarts, locale, () => findWeekStart(locale))
    },
    get today() {
      return formatDay(timeZone, clock())
    },
    get now() {
      return secondsText(clock())
    },
  }
}
