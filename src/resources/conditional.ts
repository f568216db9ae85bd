import { createHash } from 'node:crypto'
import { ApiError } from '../base/api-error.ts'
import { getOrInsert, oncePer } from '../base/get-or-insert.ts'
import type { Call } from '../calls/call.ts'
import type { Reply } from '../calls/reply.ts'
import type { Context } from '../context.ts'
import type { SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import { headerTime, listsTag, makeEtag } from './conditions.ts'

/**
 * A describe changes with the org's metadata as a whole, and with what the caller may see of it, so all of them carry
 * the same ETag and date.
 * (docs/reference/api/metadata.md#conditions)
 */
function makeTag({ visible, org, access }: Context): string {
  const state = `${org.id}/${visible.version}/${access.key}`
  return createHash('sha256').update(state).digest('hex').slice(0, 8)
}

/** Time of the last change of the schema or of the caller's access. */
const changedAt = (schema: SchemaSnapshot, { access }: Context): Date =>
  access.changedAt > schema.changedAt ? access.changedAt : schema.changedAt

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

/** True if the header names a time that is not before the last change; a time that cannot be read counts as none. */
function unchangedSince(ctx: Context, call: Call, header: string): boolean | undefined {
  const since = headerTime(call, header)
  return since === undefined ? undefined : seconds(changedAt(ctx.visible, ctx)) <= since
}

/** 304 or 412 where the caller's conditions say so, else the body. */
export function conditional(ctx: Context, call: Call, body: () => unknown): Reply {
  const tag = makeTag(ctx)
  const headers = { ...makeEtag(tag), 'Last-Modified': changedAt(ctx.visible, ctx).toUTCString() }
  const isKnown = listsTag(call, 'if-none-match', tag) ?? unchangedSince(ctx, call, 'if-modified-since')
  if (isKnown === true) return { status: 304, headers }
  if (unchangedSince(ctx, call, 'if-unmodified-since') === false) {
    throw new ApiError('PRECONDITION_FAILED', 'The metadata was modified after the given date')
  }
  return { status: 200, body: body(), headers }
}

/** Describe bodies, cached as long as their snapshot lives. */
const bodiesOf = oncePer<object, Map<string, unknown>>(() => new Map())

export function once<T>(owner: object, key: string, make: () => T): T {
  return getOrInsert(bodiesOf(owner), key, make) as T
}
