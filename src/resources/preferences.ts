import { createHash } from 'node:crypto'
import { preferenceSql } from '../auth/users/preferences.sql.ts'
import { ApiError } from '../base/api-error.ts'
import { Json } from '../base/json.ts'
import type { Call } from '../calls/call.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { listsTag, makeEtag } from './conditions.ts'

/** Limits of a user's preferences. (docs/reference/api/metadata.md#preferences) */
const MAX_COUNT = 500
const MAX_BYTES = 64 * 1024
const MAX_ALL_BYTES = 4 * 1024 * 1024

const NAME = /^[A-Za-z0-9._-]{1,80}$/

type Named = { readonly name: string }

const makeTag = (value: string) => createHash('sha256').update(value).digest('hex').slice(0, 16)

const unknown = () => new ApiError('NOT_FOUND', 'There is no preference of that name')

async function findValue({ db, org, principal }: Context, name: string): Promise<string | undefined> {
  if (!NAME.test(name)) return undefined
  const [found] = await db.query<{ value: string }>(preferenceSql.find(org, principal.userId, name))
  return found?.value
}

/** @param value undefined: there is none yet */
function checkConditions(call: Call, value: string | undefined): void {
  const tag = value === undefined ? undefined : makeTag(value)
  const isRefused =
    tag === undefined
      ? call.headers['if-match'] !== undefined
      : listsTag(call, 'if-match', tag) === false || listsTag(call, 'if-none-match', tag) === true
  if (isRefused) throw new ApiError('PRECONDITION_FAILED', 'The preference was changed meanwhile')
}

function readValue({ body, locate }: Call): string {
  if (body === undefined) {
    throw new ApiError(
      'JSON_PARSER_ERROR',
      'The HTTP entity body is required, but this request has no entity body.',
    )
  }
  const value = JSON.stringify(body)
  if (Buffer.byteLength(value) <= MAX_BYTES) return value
  const { line, column } = locate([])
  throw new ApiError(
    'JSON_PARSER_ERROR',
    `The value of a preference has at most ${MAX_BYTES} bytes at [line:${line}, column:${column}]`,
  )
}

async function checkRoom({ db, org, principal }: Context, name: string, value: string): Promise<void> {
  type Others = { readonly count: number; readonly bytes: number }
  const [others] = await db.query<Others>(preferenceSql.others(org, principal.userId, name))
  if (others!.count < MAX_COUNT && others!.bytes + Buffer.byteLength(value) <= MAX_ALL_BYTES) return
  throw new ApiError(
    'STORAGE_LIMIT_EXCEEDED',
    `A user keeps at most ${MAX_COUNT} preferences with ${MAX_ALL_BYTES} bytes`,
  )
}

/** Changes what the caller keeps under a name, one call at a time. */
const change = (
  ctx: Context,
  call: Call,
  name: string,
  write: (inside: Context, before: string | undefined) => Promise<void>,
): Promise<void> =>
  ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db }
    await db.query(preferenceSql.lock(ctx.org, ctx.principal.userId))
    const before = await findValue(inside, name)
    checkConditions(call, before)
    await write(inside, before)
  })

const list: Handler<object> = async ({ db, org, principal }) => {
  const rows = await db.query<{ name: string; value: string }>(preferenceSql.list(org, principal.userId))
  const members = rows.map(({ name, value }) => `${JSON.stringify(name)}:${value}`)
  return { status: 200, body: new Json(`{"preferences":{${members.join(',')}}}`) }
}

const read: Handler<Named> = async (ctx, call, { name }) => {
  const value = await findValue(ctx, name)
  if (value === undefined) throw unknown()
  const tag = makeTag(value)
  if (listsTag(call, 'if-none-match', tag) === true) return { status: 304, headers: makeEtag(tag) }
  return { status: 200, body: new Json(value), headers: makeEtag(tag) }
}

const put: Handler<Named> = async (ctx, call, { name }) => {
  if (!NAME.test(name)) {
    throw new ApiError(
      'INVALID_INPUT',
      'The name of a preference has 1 to 80 letters, digits, dots, underscores and hyphens',
    )
  }
  const value = readValue(call)
  await change(ctx, call, name, async (inside) => {
    await checkRoom(inside, name, value)
    await inside.db.query(preferenceSql.put(ctx.org, ctx.principal.userId, name, value))
  })
  return { ...noContent, headers: makeEtag(makeTag(value)) }
}

const remove: Handler<Named> = async (ctx, call, { name }) => {
  await change(ctx, call, name, async ({ db, org, principal }, before) => {
    if (before === undefined) throw unknown()
    await db.query(preferenceSql.remove(org, principal.userId, name))
  })
  return noContent
}

/** Data that a client keeps for its user, such as saved queries: any JSON, by name. (docs/reference/api/metadata.md#preferences) */
export const preferenceRoutes = [
  route('GET', '/preferences', 'platform', list),
  route('GET', '/preferences/:name', 'platform', read),
  route('PUT', '/preferences/:name', 'platform', put),
  route('DELETE', '/preferences/:name', 'platform', remove),
]
