import { route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { runQuery } from '../soql/run-query.ts'
import { makeLimits } from './limit-names.ts'
import { storageSql } from './storage.sql.ts'

/** Megabytes that the tables of an org take. */
async function storedMegabytes({ db, org }: Context): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(storageSql.ofOrg(org))
  return Math.ceil(row!.bytes / 1024 ** 2)
}

/** The objects that are asked for, or all where none is named; what the caller does not see does not exist. */
function countedObjects({ visible }: Context, requested: string | null) {
  if (requested === null || requested.trim() === '') return [...visible.objects]
  const names = requested.split(',').map((name) => name.trim())
  const objects = names.map((name) => visible.object(name)).filter((object) => object !== undefined)
  return [...new Set(objects)]
}

export const limitRoutes = [
  /** What the org may use and what is left of it. (docs/reference/api/limits-and-versions.md#limits-resource (line 22), docs/reference/api/limits-and-versions.md#record-counts (line 31)) */
  route('GET', '/limits', 'platform', async (ctx) => {
    const { calls, used } = ctx.allocation
    return {
      status: 200,
      body: makeLimits(ctx.version, { calls, used: used(), megabytes: await storedMegabytes(ctx) }),
    }
  }),

  /** How many records there are that the caller may see. (docs/reference/api/limits-and-versions.md#limits-resource (line 22), docs/reference/api/limits-and-versions.md#record-counts (line 31)) */
  route('GET', '/limits/recordCount', 'platform', async (ctx, { query }) => {
    const counts: { readonly count: number; readonly name: string }[] = []
    for (const { name } of countedObjects(ctx, query.get('sObjects'))) {
      const text = `SELECT COUNT() FROM ${name}`
      const { totalSize } = await runQuery(ctx, text, { pageSize: 200, deletedToo: false })
      counts.push({ count: totalSize, name })
    }
    return { status: 200, body: { sObjects: counts } }
  }),
]
