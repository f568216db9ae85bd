import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Call } from '../calls/call.ts'
import { type Envelope, optionalEnvelopeOf } from '../calls/envelope.ts'
import type { Handler } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { replayOne, replayWork } from '../scripting/work/replay-work.ts'
import type { JobStore } from '../scripting/work/work.ts'
import { type WorkFilter, type WorkLog, type WorkStatus, workLogSql } from '../scripting/work/work-log.sql.ts'
import { WORK_STATUSES } from '../standard/work-fields.ts'
import { checkOrg } from './orgs.ts'
import type { Platform } from './platform.ts'
import { setupWorkSql } from './work.sql.ts'

type InOrg = { readonly org: string }
type One = InOrg & { readonly id: string }

/** How many pieces of work are listed: without saying so, and at most. */
const USUAL_LIMIT = 50
const MAX_LISTED = 1000

const STATUSES = WORK_STATUSES.map(({ value }) => value)

/** How much of somebody's work there is, by what became of it. */
export type WorkCounts = Readonly<Record<Lowercase<WorkStatus>, number>>

interface CountRow {
  readonly name: string
  readonly status: WorkStatus
  readonly count: number
}

const NOTHING: WorkCounts = { queued: 0, done: 0, retrying: 0, dead: 0 }

/** The counts of everybody of whom there is work, and of those who are named, by name. */
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

function statusOf(text: string | undefined): WorkStatus | undefined {
  if (text === undefined) return undefined
  const status = STATUSES.find((one) => one.toLowerCase() === text.toLowerCase())
  if (status !== undefined) return status
  throw new ApiError('INVALID_INPUT', `status is one of ${STATUSES.join(', ')}`)
}

/** A text of the database cannot hold this character: whoever asks for it asks for nothing that there is. */
const nameOf = (text: string | undefined) => text?.replaceAll('\0', '\uFFFD')

/** A parameter of the query that says something. */
const said = ({ query }: Call, name: string) => query.get(name) || undefined

function limitOf(call: Call): number {
  const text = said(call, 'limit') ?? String(USUAL_LIMIT)
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= MAX_LISTED) return Number(text)
  throw new ApiError('INVALID_INPUT', `limit is a number from 1 to ${MAX_LISTED}`)
}

/** From where on, and how much, a body asks to be replayed. */
function partOf(envelope: Envelope) {
  const named = envelope.text('after')
  const after = named === undefined ? '' : canonicalRecordId(named)
  if (after === undefined) throw envelope.refusal('after is the id of a record', 'after')
  const max = envelope.count('limit') ?? Number.MAX_SAFE_INTEGER
  if (max === 0) throw envelope.refusal('"limit" is a number from 1 on', 'limit')
  return { after, max }
}

interface Kind<Row> {
  readonly log: WorkLog
  /** What filters call whoever the work is of. */
  readonly owner: 'receiver' | 'job'
  readonly noSuch: string
  /** One piece of work as it is told. */
  shown(row: Row): object
}

/** What set-up does with the work of a log, whichever it is: lists it, shows it, has it done anew. */
export function workHandlers<Row>({ queue }: Platform, { log, owner, noSuch, shown }: Kind<Row>) {
  const idOf = (text: string) => {
    const id = canonicalRecordId(text)
    if (id !== undefined) return id
    throw new ApiError('NOT_FOUND', noSuch)
  }
  const findJobStore = ({ db }: Context): JobStore => ({ db, queue, log })

  const list: Handler<InOrg> = async (ctx, call, { org }) => {
    await checkOrg(ctx, org)
    const filter: WorkFilter = { name: nameOf(said(call, owner)), status: statusOf(said(call, 'status')) }
    const newest = setupWorkSql[log].newest(ctx.org, filter, limitOf(call))
    return { status: 200, body: await ctx.db.query(newest) }
  }

  const show: Handler<One> = async (ctx, _call, { org, id }) => {
    await checkOrg(ctx, org)
    const [row] = await ctx.db.query<Row>(setupWorkSql[log].one(ctx.org, idOf(id)))
    if (row === undefined) throw new ApiError('NOT_FOUND', noSuch)
    return { status: 200, body: shown(row) }
  }

  const replay: Handler<One> = async (ctx, _call, { org, id }) => {
    await checkOrg(ctx, org)
    const isThere = await replayOne(findJobStore(ctx), ctx.clock, ctx.org, idOf(id))
    if (!isThere) throw new ApiError('NOT_FOUND', noSuch)
    return { status: 200, body: { replayed: 1 } }
  }

  const replayAll: Handler<InOrg> = async (ctx, call, { org }) => {
    await checkOrg(ctx, org)
    const envelope = optionalEnvelopeOf(call, [owner, 'status', 'after', 'limit'])
    const status = statusOf(envelope.text('status')) ?? 'Dead'
    const filter: WorkFilter = { name: nameOf(envelope.text(owner)), status }
    const replayed = await replayWork(findJobStore(ctx), ctx.clock, ctx.org, filter, partOf(envelope))
    return { status: 200, body: replayed }
  }

  return { list, show, replay, replayAll }
}
