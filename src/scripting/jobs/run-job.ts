import type { Context } from '../../context.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import { CallTransaction } from '../call-transaction.ts'
import { runEachAlone, runScript, type Script } from '../run-script.ts'
import { ScriptError } from '../threads/messages.ts'
import type { ThreadPool } from '../threads/thread-pool.ts'
import { type ContextFor, type JobHandler, makeContext } from '../work/runner.ts'
import { type Attempted, claim, type JobStore } from '../work/work.ts'
import { workLogSql } from '../work/work-log.sql.ts'
import { backgroundJobSql } from './background-jobs.sql.ts'
import type { JobFile } from './job-file.ts'

/** Delays in seconds between attempts of an unknown job: a process with a newer deployment may know it. */
const RETRIES_WITHOUT_JOB = [30, 120, 600, 3600]

/** A run in the job log. */
interface Logged extends Attempted {
  readonly job: string
  readonly payload: string
  readonly isReplay: boolean
  readonly queuedAt: string
  /** The user who enqueued it. */
  readonly userId: string
}

/** Services for running jobs. */
export interface Running {
  readonly jobStore: JobStore
  readonly contextFor: ContextFor
  readonly job: (name: string) => JobFile | undefined
  readonly pool: () => ThreadPool
}

/**
 * Runs a job and records it in the log in one transaction, or with each operation committed separately if the job
 * says so.
 */
async function runJob({ jobStore, pool }: Running, ctx: Context, job: JobFile, script: Script, id: string) {
  const { log } = jobStore
  const done = ({ db, org, clock }: Context) =>
    db.query(workLogSql.done(org, log, id, makeTimestamp(clock())))
  if (job.alone) {
    await runEachAlone(pool(), ctx, script)
    await done(ctx)
    return
  }
  const transaction = new CallTransaction(ctx, (inside) => claim(inside, log, id))
  try {
    await runScript(pool(), ctx, script, (work) => transaction.run(work))
    await transaction.run(done)
    await transaction.commit()
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}

/** Makes the handler that runs jobs. */
export function jobHandler(running: Running): JobHandler<Logged> {
  const { jobStore, contextFor } = running
  return {
    async find(org, id) {
      const [row] = await jobStore.db.query<Omit<Logged, 'id'>>(backgroundJobSql.find(org, id))
      return row && { ...row, id }
    },
    retriesOf: ({ job }) => running.job(job)?.retries ?? RETRIES_WITHOUT_JOB,
    async carryOut(org, { id, job: name, payload, attempts, isReplay, queuedAt, userId }) {
      const job = running.job(name)
      if (job === undefined) throw new Error(`The deployment has no job ${name}`)
      const { file, seconds, runAs } = job
      const ctx = await makeContext(contextFor, org, { runAs, userId })
      const about = { id, job: name, queuedAt, attempts, isReplay }
      const script: Script = { name, file, seconds, member: 'run', input: JSON.parse(payload), about }
      try {
        await runJob(running, ctx, job, script, id)
      } catch (error) {
        if (!(error instanceof ScriptError)) throw error
        throw new Error(`${error.message}\n\n${name}${error.thrown.location}`, { cause: error })
      }
    },
  }
}
