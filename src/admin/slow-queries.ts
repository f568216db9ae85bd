import { ApiError } from '../base/api-error.ts'
import { makeApiVersion } from '../base/api-version.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import type { SlowQuery } from '../slowqueries/slow-queries.ts'
import { type Advice, adviseIndex } from '../soql/advise/advise-index.ts'
import { type TriedIndex, tryIndexes } from '../soql/advise/try-index.ts'
import { type CompiledQuery, compileQuery } from '../soql/compile/compile.ts'
import { checkOrg } from './orgs.ts'
import type { Platform } from './platform.ts'

type InOrg = { readonly org: string }

/** The index to declare, and its line in the definition file of the object. */
export interface AdvisedQuery {
  readonly id: string
  readonly query: string
  readonly times: number
  readonly milliseconds: number
  readonly maxMilliseconds: number
  readonly firstAt: string
  readonly lastAt: string
  readonly object: string | null
  readonly index: readonly string[] | null
  readonly definition: string | null
  readonly because: string
}

/** An index that was tried. */
export interface TriedBody extends TriedIndex {
  readonly definition: string
  readonly helps: boolean
}

/** The schema may have changed since the query was noted. */
function compile({ schema }: Context, { query, version }: SlowQuery): CompiledQuery | undefined {
  try {
    return compileQuery(query, schema, makeApiVersion(version))
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** All indexes that the file of the object declares, with the new one. */
function makeDefinition({ schema }: Context, object: string, index: readonly string[]): string {
  const known = schema.object(object)?.definition.indexes ?? []
  return `indexes: [${[...known, index].map((fields) => `[${fields.join(', ')}]`).join(', ')}]`
}

const time = (seconds: number) => new Date(seconds * 1000).toISOString()
const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10

function advised(ctx: Context, slow: SlowQuery): AdvisedQuery {
  const { id, query, times, milliseconds, maxMilliseconds, firstAt, lastAt } = slow
  const compiled = compile(ctx, slow)
  const advice: Partial<Advice> = compiled === undefined ? {} : adviseIndex(compiled.plan)
  const { object = null, indexes: [index = null] = [], because = 'the schema has changed since' } = advice
  return {
    id,
    query,
    times,
    milliseconds: round(milliseconds),
    maxMilliseconds: round(maxMilliseconds),
    firstAt: time(firstAt),
    lastAt: time(lastAt),
    object,
    index,
    definition: object === null || index === null ? null : makeDefinition(ctx, object, index),
    because,
  }
}

/** Smaller improvements are not worth what an index costs each write. */
const MIN_GAIN = 0.8

/** Slow queries of an org, with values masked, and the index that would help. */
export const slowQueryRoutes = ({ slowQueries }: Platform): readonly Route[] => {
  const list: Handler<InOrg> = async (ctx, _call, params) => {
    await checkOrg(ctx, params.org)
    const found = await slowQueries.list(ctx.db, ctx.org)
    return { status: 200, body: found.map((slow) => advised(ctx, slow)) }
  }

  const clear: Handler<InOrg> = async (ctx, _call, params) => {
    await checkOrg(ctx, params.org)
    await slowQueries.clear(ctx.db, ctx.org)
    return noContent
  }

  const tryOne: Handler<InOrg & { readonly id: string }> = async (ctx, _call, params) => {
    await checkOrg(ctx, params.org)
    const slow = /^\w+$/.test(params.id) ? await slowQueries.find(ctx.db, ctx.org, params.id) : undefined
    if (slow === undefined) throw new ApiError('NOT_FOUND', 'There is no such slow query')
    const compiled = compile(ctx, slow)
    const advice = compiled && adviseIndex(compiled.plan)
    if (compiled === undefined || advice === undefined || advice.indexes.length === 0) {
      throw new ApiError('INVALID_INPUT', 'There is no index to try for this query')
    }
    const tried = await tryIndexes(ctx, compiled, advice.indexes)
    const body: TriedBody = {
      ...tried,
      definition: makeDefinition(ctx, advice.object, tried.index),
      helps: tried.costAfter < tried.costBefore * MIN_GAIN,
    }
    return { status: 200, body }
  }

  return [
    route('GET', '/orgs/:org/slow-queries', 'setup', list),
    route('DELETE', '/orgs/:org/slow-queries', 'setup', clear),
    route('POST', '/orgs/:org/slow-queries/:id/try', 'setup', tryOne),
  ]
}
