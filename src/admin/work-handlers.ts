import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Call } from '../calls/call.ts'
import { type Envelope, readOptionalEnvelope } from '../calls/envelope.ts'
import type { Handler } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { replayOne, replayWork } from '../scripting/work/replay-work.ts'
import type { JobStore } from '../scripting/work/work.ts'
import { type WorkFilter, type WorkLog, type WorkStatus, workLogSql } from '../scripting/work/work-log.sql.ts'
import { WORK_STATUSES } from '../standard/setup/work-fields.ts'
import { checkOrg } from './orgs.ts'
import type { Platform } from './platform.ts'
import { setupWorkSql } from './work.sql.ts'

type InOrg = { readonly org: string }
type One = InOrg & { readonly id: string }

/** Default and maximum number of listed items. */
const DEFAULT_LIMIT = 50
const MAX_LISTED = 1000

const STATUSES = WORK_STATUSES.map(({ value }) => value)

/** Counts of work by status. */
export type WorkCounts = Readonly<Record<Lowercase<WorkStatus>, number>>

interface CountRow {
  readonly name: string
  readonly status: WorkStatus
  readonly count: number
}

const NOTHING: WorkCounts = { queued: 0, done: 0, retrying: 0, dead: 0 }

/** Counts by name, for all names with work and for the given names. */
export async function countWork(
  { db, org }: Context,
  log: WorkLog,
  names: readonly string[],
): Promise<ReadonlyMap<string, WorkCounts>> {
  const rows = await db.query<CountRow>(workLogSql.counts(org, log))
  const counts = new Map<string, WorkCounts>()
  for (const name of [...names, ...rows.map((row) => row.name)].sort()) counts.set(name, NOTHING)
  for (const { name, status, count } of rows) {
    counts.set(name, { ...counts.get(name)!, [status.toLowerCase()]: count })
  }
  return counts
}

function parseStatus(text: string | undefined): WorkStatus | undefined {
  if (text === undefined) return undefined
  const status = STATUSES.find((one) => one.toLowerCase() === text.toLowerCase())
  if (status !== undefined) return status
  throw new ApiError('INVALID_INPUT', `status is one of ${STATUSES.join(', ')}`)
}

/** PostgreSQL text cannot contain NUL. The replacement matches nothing. */
const nameOf = (text: string | undefined) => text?.replaceAll('\0', '\uFFFD')

/** A nonempty query parameter. */
const getParameter = ({ query }: Call, name: string) => query.get(name) || undefined

function readLimit(call: Call): number {
  const text = getParameter(call, 'limit') ?? String(DEFAULT_LIMIT)
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= MAX_LISTED) return Number(text)
  throw new ApiError('INVALID_INPUT', `limit is a number from 1 to ${MAX_LISTED}`)
}

/** Reads the range of work to replay from the body. */
function readPart(envelope: Envelope) {
  const named = envelope.text('after')
  const after = named === undefined ? '' : canonicalRecordId(named)
  if (after === undefined) throw envelope.refusal('after is the id of a record', 'after')
  const max = envelope.count('limit') ?? Number.MAX_SAFE_INTEGER
  if (max === 0) throw envelope.refusal('"limit" is a number from 1 on', 'limit')
  return { after, max }
}

interface Kind<Row> {
  readonly log: WorkLog
  /** Filter parameter with the name of the receiver or job. */
  readonly owner: 'receiver' | 'job'
  readonly noSuch: string
  /** Formats one item for a response. */
  shown(row: Row): object
}

/** Handlers that list, show and replay the work of a log. */
export function workHandlers<Row>({ queue }: Platform, { log, owner, noSuch, shown }: Kind<Row>) {
  const parseId = (text: string) => {
    const id = canonicalRecordId(text)
    if (id !== undefined) return id
    throw new ApiError('NOT_FOUND', noSuch)
  }
  const findJobStore = ({ db }: Context): JobStore => ({ db, queue, log })

  const list: Handler<InOrg> = async (ctx, call, { org }) => {
    await checkOrg(ctx, org)
    const filter: WorkFilter = {
      name: nameOf(getParameter(call, owner)),
      status: parseStatus(getParameter(call, 'status')),
    }
    const newest = setupWorkSql[log].newest(ctx.org, filter, readLimit(call))
    return { status: 200, body: await ctx.db.query(newest) }
  }

  const find = async (ctx: Context, id: string): Promise<Row> => {
    const [row] = await ctx.db.query<Row>(setupWorkSql[log].one(ctx.org, parseId(id)))
    if (row === undefined) throw new ApiError('NOT_FOUND', noSuch)
    return row
  }

  const show: Handler<One> = async (ctx, _call, { org, id }) => {
    await checkOrg(ctx, org)
    return { status: 200, body: shown(await find(ctx, id)) }
  }

  const replay: Handler<One> = async (ctx, _call, { org, id }) => {
    await checkOrg(ctx, org)
    const replayed = await replayOne(findJobStore(ctx), ctx.clock, ctx.org, parseId(id))
    if (replayed === 0) await find(ctx, id)
    return { status: 200, body: { replayed } }
  }

  const replayAll: Handler<InOrg> = async (ctx, call, { org }) => {
    await checkOrg(ctx, org)
    const envelope = readOptionalEnvelope(call, [owner, 'status', 'after', 'limit'])
    const status = parseStatus(envelope.text('status')) ?? 'Dead'
    const filter: WorkFilter = { name: nameOf(envelope.text(owner)), status }
    const replayed = await replayWork(findJobStore(ctx), ctx.clock, ctx.org, filter, readPart(envelope))
    return { status: 200, body: replayed }
  }

  return { list, show, replay, replayAll }
}
