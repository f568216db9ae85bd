import { ApiError } from '../base/api-error.ts'
import type { CallFilter } from '../calllog/call-log.sql.ts'
import type { LoggedCalls, WholeCall } from '../calllog/logged-call.ts'
import type { Call } from '../calls/call.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { countIn } from '../resources/requested-count.ts'
import { checkOrg } from './orgs.ts'
import type { Platform } from './platform.ts'

type InOrg = { readonly org: string }

const MAX_LISTED = 500
const USUAL_LISTED = 100

/** @throws ApiError INSUFFICIENT_ACCESS */
async function checkReader(ctx: Context, named: string): Promise<void> {
  await checkOrg(ctx, named)
  if (ctx.access.has('ViewCallLog')) return
  throw new ApiError('INSUFFICIENT_ACCESS', 'The call log is for users with the permission ViewCallLog')
}

const refuse = (name: string, what: string) =>
  new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', `Value for parameter ${name} is ${what}`)

function readText(call: Call, name: string): string | undefined {
  const text = call.query.get(name)
  if (text === null || text === '') return undefined
  if (text.length > 500 || text.includes('\0')) throw refuse(name, 'a text of at most 500 characters')
  return text
}

function readCursor(call: Call, name: string): string | undefined {
  const text = readText(call, name)
  if (text === undefined || /^\d{1,18}$/.test(text)) return text
  throw refuse(name, 'the cursor of an earlier answer')
}

/** `404`, or all that begin with a digit: `4xx`. */
function readStatus(call: Call): CallFilter['status'] {
  const text = readText(call, 'status')
  if (text === undefined) return undefined
  const [, digit, rest] = /^([1-5])(\d\d|xx)$/i.exec(text) ?? []
  if (digit === undefined) throw refuse('status', 'a status such as 404, or 4xx')
  const first = Number(`${digit}${/x/i.test(rest!) ? '00' : rest}`)
  return [first, /x/i.test(rest!) ? first + 99 : first]
}

function readSince(call: Call): number | undefined {
  const text = readText(call, 'since')
  if (text === undefined) return undefined
  const seconds = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) / 1000 : Number.NaN
  if (!Number.isFinite(seconds)) throw refuse('since', 'a time such as 2026-11-25T09:00:00Z')
  return seconds
}

/** The latest calls of an org. (docs/reference/api/admin-api.md#call-log) */
export const callRoutes = ({ callLog }: Pick<Platform, 'callLog'>): readonly Route[] => {
  const list: Handler<InOrg> = async (ctx, call, params) => {
    await checkReader(ctx, params.org)
    const after = readCursor(call, 'after')
    const filter: CallFilter = {
      after,
      before: readCursor(call, 'before'),
      user: readText(call, 'user'),
      app: readText(call, 'app'),
      withoutApp: readText(call, 'withoutApp'),
      path: readText(call, 'path'),
      status: readStatus(call),
      since: readSince(call),
      limit: countIn(call, 'limit', USUAL_LISTED, 1, MAX_LISTED),
    }
    // Read before the calls are: what is stored meanwhile comes with the next cursor.
    const newest = after === undefined ? await callLog.findNewest(ctx.db, ctx.org) : after
    const calls = await callLog.list(ctx.db, ctx.org, filter)
    const ids = calls.map(({ id }) => BigInt(id)).concat(BigInt(newest))
    const next = ids.reduce((one, other) => (one > other ? one : other))
    const body: LoggedCalls = { calls, next: String(next) }
    return { status: 200, body }
  }

  const find: Handler<InOrg & { readonly id: string }> = async (ctx, _call, { org, id }) => {
    await checkReader(ctx, org)
    const found = /^\d{1,18}$/.test(id) ? await callLog.find(ctx.db, ctx.org, id) : undefined
    if (found === undefined) throw new ApiError('NOT_FOUND', 'There is no such call any more')
    const { statementList, request, response, ...rest } = found
    const parts: Pick<WholeCall, 'statementList' | 'request' | 'response'> = {
      statementList: JSON.parse(statementList),
      ...(request !== null && { request: JSON.parse(request) }),
      ...(response !== null && { response: JSON.parse(response) }),
    }
    const body: WholeCall = { ...rest, ...parts }
    return { status: 200, body }
  }

  const readSettings: Handler<InOrg> = async (ctx, _call, params) => {
    await checkReader(ctx, params.org)
    return { status: 200, body: await callLog.loadSettings(ctx.db, ctx.org) }
  }

  const set: Handler<InOrg> = async (ctx, call, params) => {
    await checkReader(ctx, params.org)
    const envelope = readEnvelope(call, ['bodies'])
    await callLog.keepBodies(ctx.db, ctx.org, envelope.required('bodies', envelope.flag('bodies')))
    return noContent
  }

  return [
    route('GET', '/orgs/:org/calls', 'setup', list),
    route('GET', '/orgs/:org/calls/settings', 'setup', readSettings),
    route('PUT', '/orgs/:org/calls/settings', 'setup', set),
    route('GET', '/orgs/:org/calls/:id', 'setup', find),
  ]
}
