import { makeApiVersion } from '../../base/api-version.ts'
import { type ClockOf, secondsText } from '../../base/clock.ts'
import type { Observe } from '../../base/observation.ts'
import { injectFault } from '../../calls/inject-faults.ts'
import type { Context } from '../../context.ts'
import type { FaultStore } from '../../faults/fault-store.ts'
import type { FaultCall } from '../../faults/match-call.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { jobSql } from './job.sql.ts'
import type { Job, JobKind } from './job.ts'
import { type QueueJob, queueNext, setState } from './job-store.ts'

/** Services for processing jobs. */
export interface RunServices {
  readonly db: Db
  readonly clockOf: ClockOf
  /** Makes the context of work in the name of a user; undefined when the user is not active. */
  readonly contextFor: (org: Org, who: { readonly userId: string }) => Promise<Context | undefined>
  readonly queueJob: QueueJob
  /** Finds the faults of a step; undefined where the settings allow none. */
  readonly matchFaults: FaultStore['matchCall'] | undefined
  readonly observe: Observe
}

/** Tells that a job needs no more work, or has to be continued. */
export type RunEnd = 'over' | 'more'

/** The job fails as a whole, with this message. */
export class JobFailure extends Error {}

/**
 * The context of a job's user, with the permissions and the schema of now.
 * @throws JobFailure
 */
export async function makeJobContext({ contextFor }: RunServices, org: Org, job: Job): Promise<Context> {
  const ctx = await contextFor(org, { userId: job.userId })
  if (ctx === undefined) {
    throw new JobFailure('InvalidUser : The user who created the job is not active any more')
  }
  return { ...ctx, version: makeApiVersion(job.apiVersion) }
}

/**
 * Applies the faults that are planned for a part of a job: it counts as a step of the call that it is the work of.
 * @throws what the real failure throws
 */
export async function injectJobFaults(
  { matchFaults }: RunServices,
  ctx: Context,
  job: Job,
  step: Pick<FaultCall, 'route' | 'method' | 'step'>,
): Promise<void> {
  if (matchFaults === undefined) return
  const matched = await matchFaults(ctx.org, {
    ...step,
    appId: undefined,
    appName: undefined,
    username: ctx.principal.username,
    version: job.apiVersion,
    isDelivery: false,
  })
  for (const fault of matched) await injectFault(fault, ctx.version, ctx.deadline())
}

/** Current time of an org, to the second. */
export const timeIn = ({ clockOf }: Pick<RunServices, 'clockOf'>, { id }: Org): string =>
  secondsText(clockOf(id)())

/** A message may quote an upload, which may have characters that the database has not, and of any length. */
const MAX_MESSAGE = 1000
const storable = (message: string) => message.slice(0, MAX_MESSAGE).replaceAll('\0', '\uFFFD').toWellFormed()

/** Batches are jobs of these kinds too; a job of version 1 itself is never carried out. */
const workOf = ({ kind }: Job): JobKind => (kind === 'query' ? 'query' : 'ingest')

/** Ends a job that cannot be processed, unless another process works on it. */
export async function failJob(services: RunServices, org: Org, job: Job, message: string): Promise<void> {
  const isFailed = await services.db.transaction(async (db) => {
    const time = timeIn(services, org)
    const [current] = await db.query<Job>(jobSql.find(org, job.id, time, true))
    if (current?.run !== job.run || current.state !== 'InProgress') return false
    await setState({ db, org }, current, 'Failed', time, storable(message))
    await queueNext(db, org, services.queueJob)
    return true
  })
  if (isFailed) services.observe({ kind: 'bulk end', work: workOf(job), state: 'Failed' })
}
