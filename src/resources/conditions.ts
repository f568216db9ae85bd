import { ApiError } from '../base/api-error.ts'
import type { Call } from '../calls/call.ts'
import type { Reply } from '../calls/reply.ts'
import type { Context } from '../context.ts'
import { selectRevision } from '../records/read/read.sql.ts'
import { rowsFor } from '../records/read/row-access.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'

/** The version of a record, for conditional requests. */
interface Revision {
  /** LastModifiedDate in seconds since 1970. */
  readonly modifiedAt: number
  /** Changes with every change of the record. */
  readonly tag: string
}

/** The revision of a live record visible to the caller. `lock` locks the record until the transaction ends. */
async function findRevision(
  ctx: Context,
  object: ObjectType,
  id: string,
  lock = false,
): Promise<Revision | undefined> {
  const [revision] = await ctx.db.query<Revision>(
    selectRevision(ctx.org, object, id, lock, rowsFor(ctx, object, 'read')),
  )
  return revision
}

/** Conditions on a record's state under which a call is carried out. (docs/reference/api/records.md#conditional-requests) */
const CONDITIONS = ['if-modified-since', 'if-unmodified-since', 'if-match', 'if-none-match'] as const

/** The time in a header, in whole seconds since 1970; undefined when there is none that can be read. */
export function headerTime(call: Call, name: string): number | undefined {
  const time = Date.parse(call.headers[name] ?? '')
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}

const isConditional = (call: Call) => CONDITIONS.some((name) => call.headers[name] !== undefined)

/** True if the header's list has the tag; undefined when there is no such header. */
export function listsTag(call: Call, name: 'if-match' | 'if-none-match', tag: string): boolean | undefined {
  const tags = call.headers[name]?.split(',').map((entry) => entry.trim().replace(/^W\//, ''))
  return tags?.some((entry) => entry === '*' || entry === `"${tag}"`)
}

export const makeEtag = (tag: string) => ({ ETag: `"${tag}"` })

/** Refuses a record that does not match the conditions of the call. */
function checkStill(call: Call, { tag, modifiedAt }: Revision): void {
  const since = headerTime(call, 'if-unmodified-since')
  if (listsTag(call, 'if-match', tag) === false || (since !== undefined && modifiedAt > since)) {
    throw new ApiError('PRECONDITION_FAILED', 'The record was modified after the given date')
  }
}

/** 304 when the caller already has the current record, undefined when it must be read. */
export async function replyUnchanged(
  ctx: Context,
  call: Call,
  object: ObjectType,
  id: string,
): Promise<Reply | undefined> {
  const revision = isConditional(call) ? await findRevision(ctx, object, id) : undefined
  if (revision === undefined) return undefined
  checkStill(call, revision)
  const known = listsTag(call, 'if-none-match', revision.tag)
  const since = headerTime(call, 'if-modified-since')
  const unchanged = known ?? (since !== undefined && revision.modifiedAt <= since)
  return unchanged ? { status: 304, headers: makeEtag(revision.tag) } : undefined
}

function checkDates(call: Call): void {
  for (const name of ['if-modified-since', 'if-unmodified-since']) {
    if (call.headers[name] !== undefined && headerTime(call, name) === undefined) {
      throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', `The header ${name} holds no date`)
    }
  }
}

/** Changes a record if it matches the conditions of the call; it is locked between check and change. */
export async function whileUnchanged(
  ctx: Context,
  call: Call,
  object: ObjectType,
  id: string,
  change: (ctx: Context) => Promise<void>,
): Promise<void> {
  if (!isConditional(call)) return change(ctx)
  checkDates(call)
  return ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db }
    const revision = await findRevision(inside, object, id, true)
    if (revision !== undefined) {
      checkStill(call, revision)
      if (listsTag(call, 'if-none-match', revision.tag) === true) {
        throw new ApiError('PRECONDITION_FAILED', 'The record is in the given state')
      }
    }
    return change(inside)
  })
}
