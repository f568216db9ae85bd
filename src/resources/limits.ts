import { loadUsage } from '../bulk/jobs/usage.ts'
import { route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import type { EventUse } from '../quota/event-count.ts'
import { isQueryable } from '../schema/describe/describe-object.ts'
import { runQuery } from '../soql/run-query.ts'
import type { Org } from '../storage/orgs/org.ts'
import { makeLimits } from './limit-names.ts'
import { storageSql } from './storage.sql.ts'

/** How long the size of an org's tables is kept, in milliseconds: the database looks at each of their files. */
const SIZE_KEPT_MS = 10_000

interface Size {
  readonly megabytes: number
  /** On the clock of `performance.now`. */
  readonly measuredAt: number
}

const sizes = new WeakMap<Org, Size>()

/** Megabytes that the tables of an org take, or took seconds ago. */
async function storedMegabytes({ db, org }: Context): Promise<number> {
  const known = sizes.get(org)
  if (known !== undefined && performance.now() - known.measuredAt < SIZE_KEPT_MS) return known.megabytes
  const [row] = await db.query<{ bytes: number }>(storageSql.ofOrg(org))
  const megabytes = Math.ceil(row!.bytes / 1024 ** 2)
  sizes.set(org, { megabytes, measuredAt: performance.now() })
  return megabytes
}

/**
 * The objects that are asked for, or all where none is named; what the caller does not see does not exist, and what needs a
 * filter has no number of records.
 */
function countedObjects({ visible }: Context, requested: string | null) {
  if (requested === null || requested.trim() === '') return visible.objects.filter(isQueryable)
  const names = requested.split(',').map((name) => name.trim())
  const objects = names.map((name) => visible.object(name)).filter((object) => object !== undefined)
  return [...new Set(objects)].filter(isQueryable)
}

export const limitRoutes = [
  /** Limits of the org, and what is left of them. (docs/reference/api/limits-and-versions.md#limits-resource (line 22), docs/reference/api/limits-and-versions.md#record-counts (line 31)) */
  route('GET', '/limits', 'platform', async (ctx) => {
    const { allocation, events } = ctx
    const { calls, used } = allocation
    const usedOf = async (use: EventUse) => ({ max: events.max[use], used: await events.used(ctx.db, use) })
    return {
      status: 200,
      body: makeLimits(ctx.version, {
        bulk: await loadUsage(ctx),
        ...{ delivered: await usedOf('delivered'), published: await usedOf('published') },
        ...{ calls, used: used(), megabytes: await storedMegabytes(ctx) },
      }),
    }
  }),

  /** How many records there are that the caller may see. (docs/reference/api/limits-and-versions.md#limits-resource (line 22), docs/reference/api/limits-and-versions.md#record-counts (line 31)) */
  route('GET', '/limits/recordCount', 'platform', async (ctx, { query }) => {
    const counts: { readonly count: number; readonly name: string }[] = []
    for (const { name } of countedObjects(ctx, query.get('sObjects'))) {
      const text = `SELECT COUNT() FROM ${name}`
      const { totalSize } = await runQuery(ctx, text, { pageSize: 200, deletedToo: false, isOwn: true })
      counts.push({ count: totalSize, name })
    }
    return { status: 200, body: { sObjects: counts } }
  }),
]
