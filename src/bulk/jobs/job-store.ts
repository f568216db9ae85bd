import { notFound } from '../../base/api-error.ts'
import { secondsText } from '../../base/clock.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { jobSql, type NewJob, pieceSql } from './job.sql.ts'
import type { Job, JobState } from './job.ts'
import { ensureTables, hasTables } from './tables.ts'

/** Jobs of an org that are processed side by side. */
const MAX_RUNNING = 2
/** Uploads up to this size go before larger ones that wait. */
const SMALL_BYTES = 1024 * 1024

/** Queues the processing of a job in the transaction of `db`. */
export type QueueJob = (db: Db, org: Org, jobId: string) => Promise<void>

/** Current time of the org. */
export const timeOf = ({ clock }: Pick<Context, 'clock'>): string => secondsText(clock())

const mayManage = ({ access }: Context) => access.has('ManageDataIntegrations')

/** The members that jobs have alike unless they are batches or of version 1. */
const OWN = { parentId: null, contentType: 'CSV', isSerial: false } as const

/** Creates a job. */
export async function createJob(
  ctx: Context,
  job: Omit<NewJob, 'id' | 'userId' | 'apiVersion' | keyof typeof OWN> &
    Partial<Pick<NewJob, keyof typeof OWN>>,
  prefix = '750',
): Promise<Job> {
  const { db, org, principal, version } = ctx
  await ensureTables(db, org)
  const id = await ctx.ids.make(prefix, db)
  const whole = { ...OWN, ...job, id, userId: principal.userId, apiVersion: version.major }
  const [created] = await db.query<Job>(jobSql.insert(org, whole, timeOf(ctx)))
  return created!
}

/**
 * A job that the caller may see: its own, or any with the permission to manage data integrations.
 * @throws ApiError NOT_FOUND
 */
export async function findJob(
  ctx: Context,
  kind: Job['kind'],
  idText: string,
  isLocked = false,
): Promise<Job> {
  const id = canonicalRecordId(idText)
  if (id === undefined || !(await hasTables(ctx.db, ctx.org))) throw notFound()
  const [job] = await ctx.db.query<Job>(jobSql.find(ctx.org, id, timeOf(ctx), isLocked))
  const isSeen =
    job?.kind === kind && job.parentId === null && (job.userId === ctx.principal.userId || mayManage(ctx))
  if (!isSeen) throw notFound()
  return job
}

/** The batches of a job, in the order in which they came. */
export const listBatches = (ctx: Context, { id }: Job): Promise<Job[]> =>
  ctx.db.query<Job>(jobSql.batches(ctx.org, id, timeOf(ctx)))

/** Returns a batch of a job, or undefined if the job has no such batch. */
export async function findBatch(ctx: Context, job: Job, idText: string): Promise<Job | undefined> {
  const id = canonicalRecordId(idText)
  if (id === undefined) return undefined
  const [batch] = await ctx.db.query<Job>(jobSql.find(ctx.org, id, timeOf(ctx), false))
  return batch?.parentId === job.id ? batch : undefined
}

/** Jobs that the caller may see, in the order of their ids, after one of them. */
export async function listJobs(
  ctx: Context,
  kinds: readonly Job['kind'][],
  after: string,
  max: number,
): Promise<readonly Job[]> {
  if (!(await hasTables(ctx.db, ctx.org))) return []
  const userId = mayManage(ctx) ? undefined : ctx.principal.userId
  return ctx.db.query<Job>(jobSql.list(ctx.org, kinds, userId, after, max, timeOf(ctx)))
}

/** Sets the state of a locked job. */
export async function setState(
  { db, org }: Pick<Context, 'db' | 'org'>,
  { id }: Job,
  state: JobState,
  time: string,
  errorMessage?: string,
): Promise<Job> {
  const [changed] = await db.query<Job>(jobSql.setState(org, id, state, errorMessage ?? null, time))
  return changed!
}

async function mustFollow(db: Db, org: Org, batch: Job): Promise<boolean> {
  const [row] = await db.query<{ mustFollow: boolean }>(jobSql.mustFollow(org, batch))
  return row!.mustFollow
}

/**
 * Takes a job for processing, in a transaction.
 * @returns undefined when it is over, or waits until another job of the org is
 */
export async function beginJob(db: Db, org: Org, id: string, time: string): Promise<Job | undefined> {
  if (!(await hasTables(db, org))) return undefined
  return db.transaction(async (tx) => {
    await tx.query(jobSql.lockOrg(org))
    const [job] = await tx.query<Job>(jobSql.find(org, id, time, true))
    if (job === undefined) return undefined
    if (job.state === 'UploadComplete') {
      const [count] = await tx.query<{ running: number }>(jobSql.countRunning(org, id))
      if (count!.running >= MAX_RUNNING) return undefined
      if (job.isSerial && (await mustFollow(tx, org, job))) return undefined
    } else if (job.state !== 'InProgress') return undefined
    const [begun] = await tx.query<Job>(jobSql.begin(org, id, time))
    return begun
  })
}

/**
 * Queues the next waiting jobs of the org: called in the transaction that ends some.
 * @param ended how many
 */
export async function queueNext(db: Db, org: Org, queueJob: QueueJob, ended = 1): Promise<void> {
  const max = Math.min(ended, MAX_RUNNING)
  const next = await db.query<{ id: string }>(jobSql.findWaiting(org, SMALL_BYTES, max))
  for (const { id } of next) await queueJob(db, org, id)
}

/** Removes what is stored of a job, which still counts toward the limits. */
export async function hideJob(db: Db, org: Org, id: string): Promise<void> {
  await db.query(jobSql.hide(org, id))
  await db.query(pieceSql.removeOf(org, id))
}

/**
 * Removes all jobs of an org with their data, before its records are reset. Waits until chunks that are being written are; the
 * processes that work on jobs find that these are gone.
 */
export async function removeAllJobs(db: Db, org: Org): Promise<void> {
  if (!(await hasTables(db, org))) return
  await db.query(jobSql.removeAll(org))
  await db.query(pieceSql.removeAll(org))
}

/** Interval of sweeps in a process, in milliseconds. */
const SWEEP_MS = 60_000

const sweptAt = new WeakMap<Org, number>()

/** Removes jobs after seven days, and aborts those that stay open, by the clock of the org. */
export async function sweepJobs(db: Db, org: Org, time: string): Promise<void> {
  if (!(await hasTables(db, org))) return
  await db.query(jobSql.abortOld(org, time))
  for (;;) {
    const old = await db.query<{ id: string }>(jobSql.findOld(org, time))
    for (const { id } of old) {
      await db.query(pieceSql.removeOf(org, id))
      await db.query(jobSql.remove(org, id))
    }
    if (old.length === 0) return
  }
}

/** The same, at most once a minute in a process. */
export async function sweepSometimes({ db, org, clock }: Context): Promise<void> {
  const now = performance.now()
  if (now - (sweptAt.get(org) ?? Number.NEGATIVE_INFINITY) < SWEEP_MS) return
  sweptAt.set(org, now)
  await sweepJobs(db, org, secondsText(clock()))
}
