import { ApiError } from '../base/api-error.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { orgSql } from '../storage/orgs/orgs.sql.ts'
import { originPattern } from '../storage/orgs/origin-pattern.ts'
import { requireOrg } from './orgs.ts'
import type { Platform } from './platform.ts'

type InOrg = { readonly org: string }

/** Maximum number of allowed origins. Every request with an Origin header is compared with each. */
const MAX_ORIGINS = 200

const HINT = 'An origin is like https://app.example.com, http://localhost:3000 or https://*.example.com'

async function loadOrigins(ctx: Context, named: string): Promise<readonly string[]> {
  const org = await requireOrg(ctx, named)
  const [row] = await ctx.db.query<{ origins: readonly string[] }>(orgSql.allowedOrigins(org))
  return row?.origins ?? []
}

/** Manages the origins whose pages may call an org from a browser (CORS). */
export const originRoutes = ({ hosts }: Platform): readonly Route[] => {
  const list: Handler<InOrg> = async (ctx, _call, params) => ({
    status: 200,
    body: await loadOrigins(ctx, params.org),
  })

  const add: Handler<InOrg> = async (ctx, call, params) => {
    const envelope = readEnvelope(call, ['origin'])
    const origin = originPattern(envelope.required('origin', envelope.text('origin')))
    if (origin === undefined) throw envelope.refusal(HINT, 'origin')
    const org = await requireOrg(ctx, params.org)
    const [row] = await ctx.db.query(orgSql.allowOrigin(org, origin, MAX_ORIGINS))
    if (row === undefined)
      throw new ApiError('LIMIT_EXCEEDED', `An org allows ${MAX_ORIGINS} origins at most`)
    hosts.forget()
    return noContent
  }

  const remove: Handler<InOrg> = async (ctx, call, params) => {
    const origin = originPattern(call.query.get('origin') ?? '')
    if (origin === undefined) throw new ApiError('INVALID_INPUT', HINT)
    const [row] = await ctx.db.query(orgSql.disallowOrigin(await requireOrg(ctx, params.org), origin))
    if (row === undefined) throw new ApiError('NOT_FOUND', `The origin ${origin} is not on the list`)
    hosts.forget()
    return noContent
  }

  return [
    route('GET', '/orgs/:org/origins', 'setup', list),
    route('POST', '/orgs/:org/origins', 'setup', add),
    route('DELETE', '/orgs/:org/origins', 'setup', remove),
  ]
}
