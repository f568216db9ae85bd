import type { PgBoss } from 'pg-boss'
import { sql, written } from '../base/sql.ts'
import type { Db, Engine } from '../storage/database/db.ts'
import { queueSql } from './queue.sql.ts'
import { type CarryOut, QueueWorker, type Work, type Working } from './queue-worker.ts'

/** Database schema of the queue's tables. */
const SCHEMA = 'objectry_jobs'

/** Work of a process that has sent no heartbeat for this time is taken over by another. */
const HEARTBEAT_SECONDS = 10
/** Interval of looking for such work. */
const SUPERVISION_SECONDS = 5
/** Interval of looking whether the clock was set back, in milliseconds. */
const CLOCK_INTERVAL_MS = 30_000
/** The queue of scheduled occurrences. */
const SCHEDULE_QUEUE = 'schedule'
/** Interval of looking for work that other processes queued. A process starts work that it queued itself at once. */
const POLLING_SECONDS = 2
/** Number of retries of work that its process died over, or that the database failed. */
const MAX_RETRIES = 10_000
/** Maximum duration of one job. */
const MAX_DURATION_SECONDS = 3600
/** How long a stopping server waits for running jobs. */
const STOP_TIMEOUT_MS = 10_000
/** How long queued work waits for a server: it must outlast any downtime. */
const RETENTION_SECONDS = 10 * 365 * 24 * 3600
/** How long completed jobs are kept. Their records have the outcome. */
const COMPLETED_RETENTION_SECONDS = 3600

/** A recurring time. */
export interface Schedule {
  readonly name: string
  /** Five cron fields. */
  readonly cron: string
  readonly timeZone: string
}

/** Called when a schedule is due. The same occurrence may be reported twice, with the same name. */
export type Fire = (name: string, occurrence: string) => Promise<void>

interface QueuedWork extends Work {
  /** Seconds from now. */
  readonly delaySeconds?: number
}

/** Runs the queue library's statements; several at once have no values and return no rows. */
const makeAdapter = (db: Db) => ({
  async executeSql(text: string, values: readonly unknown[] = []) {
    if (values.length > 0) return { rows: await db.query(written(text, values)) }
    if (!/;\s*\S/.test(text)) return { rows: await db.query(sql.raw(text)) }
    await db.script([sql.raw(text)])
    return { rows: [] }
  },
})

/** Checks a schedule before any is changed, so that all or none are stored. */
function checkSchedule(boss: PgBoss, { name, cron, timeZone }: Schedule): void {
  try {
    boss.previewSchedule(cron, { tz: timeZone, count: 1 })
  } catch (error) {
    const message = `The job ${name} has the invalid cron expression ${cron}: ${(error as Error).message}`
    throw new Error(message, { cause: error })
  }
}

/**
 * Durable jobs in the database: queued in the caller's transaction, and started after its commit by this process or
 * another, until one has completed them. A job may start twice: its handler checks the job's record first.
 */
export class JobQueue {
  readonly #engine: Engine
  readonly #report: (message: string) => void
  readonly #queues: readonly string[]
  readonly #schema: string
  readonly #workers = new Map<string, QueueWorker>()
  #opening: Promise<PgBoss> | undefined
  #clockTimer: NodeJS.Timeout | undefined
  #clock: Promise<string> | undefined
  #fire: Fire = async () => {}

  constructor(engine: Engine, queues: readonly string[], report: (message: string) => void, schema = SCHEMA) {
    this.#engine = engine
    this.#queues = queues
    this.#report = report
    this.#schema = schema
  }

  /** True if any process has ever opened it. */
  async isThere(db: Db = this.#engine.db): Promise<boolean> {
    const [row] = await db.query<{ isThere: boolean }>(queueSql.isThere(this.#schema))
    return row!.isThere
  }

  /** Creates the queue's tables if they do not exist. Call it outside of transactions. */
  async open(): Promise<void> {
    await this.#boss()
  }

  /** Queues work in the transaction of `db`. */
  async send(db: Db, queue: string, work: readonly QueuedWork[]): Promise<void> {
    const boss = await this.#boss()
    const jobs = work.map(({ delaySeconds, ...data }) =>
      delaySeconds === undefined ? { data } : { data, startAfter: delaySeconds },
    )
    await boss.insert(queue, jobs, { db: makeAdapter(db) })
    if (work.some(({ delaySeconds = 0 }) => delaySeconds === 0)) {
      db.afterCommit(() => this.#workers.get(queue)?.notify())
    }
  }

  /** Takes back the work of an org that has not begun, in the transaction of `db`. The queue must be there. */
  async takeBack(db: Db, queue: string, orgId: string): Promise<void> {
    await db.query(queueSql.takeBack(this.#schema, queue, orgId))
  }

  /** Makes this process work on a queue. */
  async work(queue: string, { max, giveWay }: Working, carryOut: CarryOut): Promise<void> {
    const worker = new QueueWorker({
      ...{ boss: await this.#boss(), queue, max, giveWay, carryOut, report: this.#report },
      polling: POLLING_SECONDS * 1000,
      heartbeat: (HEARTBEAT_SECONDS * 1000) / 3,
    })
    this.#workers.set(queue, worker)
  }

  /**
   * Replaces all schedules. Each occurrence is handled by one of the processes.
   * @throws Error if a schedule is not valid
   */
  async keepTime(schedules: readonly Schedule[], fire: Fire): Promise<void> {
    const boss = await this.#boss()
    for (const schedule of schedules) checkSchedule(boss, schedule)
    this.#fire = fire
    for (const { key } of await boss.getSchedules(SCHEDULE_QUEUE)) {
      if (!schedules.some(({ name }) => name === key)) await boss.unschedule(SCHEDULE_QUEUE, key)
    }
    for (const { name, cron, timeZone } of schedules) {
      await boss.schedule(SCHEDULE_QUEUE, cron, { name }, { tz: timeZone, key: name })
    }
    this.#clock ??= boss.work<{ readonly name: string }>(
      SCHEDULE_QUEUE,
      { pollingIntervalSeconds: POLLING_SECONDS },
      async ([job]) => {
        await this.#fire(job!.data.name, `${job!.data.name} ${job!.id}`)
      },
    )
    await this.#clock
  }

  /** Waits for running jobs, up to some seconds. */
  async close(): Promise<void> {
    clearInterval(this.#clockTimer)
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop(STOP_TIMEOUT_MS)))
    const boss = await this.#opening?.catch(() => undefined)
    await boss?.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
  }

  #boss(): Promise<PgBoss> {
    this.#opening ??= this.#start().catch((error) => {
      // A failed start, as without a database, is retried by the next caller.
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #start(): Promise<PgBoss> {
    const { PgBoss } = await import('pg-boss')
    const boss = new PgBoss({
      db: makeAdapter(this.#engine.db),
      backend: this.#engine.kind === 'pglite' ? 'pglite' : 'postgres',
      schema: this.#schema,
      superviseIntervalSeconds: SUPERVISION_SECONDS,
      monitorIntervalSeconds: SUPERVISION_SECONDS,
      // The library must not watch our statements.
      monitorVacuum: false,
      reindex: false,
    })
    boss.on('error', (error) => this.#report(`The job queue: ${error.message}`))
    boss.on('warning', ({ message }) => this.#report(`The job queue: ${message}`))
    await boss.start()
    for (const name of [...this.#queues, SCHEDULE_QUEUE]) {
      await boss.createQueue(name, {
        retryLimit: MAX_RETRIES,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 300,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        expireInSeconds: MAX_DURATION_SECONDS,
        deleteAfterSeconds: COMPLETED_RETENTION_SECONDS,
        retentionSeconds: RETENTION_SECONDS,
      })
      // The queue's options are loaded now: inside a transaction of the embedded engine no other query can run.
      await boss.insert(name, [])
    }
    await this.#followClock()
    this.#clockTimer ??= setInterval(() => {
      this.#followClock().catch(() => {
        // The database is away: the next look is soon.
      })
    }, CLOCK_INTERVAL_MS).unref()
    return boss
  }

  /** Goes on with what waits for a time that has become the future, because the clock was set back. */
  async #followClock(): Promise<void> {
    const { db } = this.#engine
    const [row] = await db.query<{ isBack: boolean }>(queueSql.isClockBack(this.#schema))
    if (!row!.isBack) return
    await db.transaction((tx) => tx.script(queueSql.followClock(this.#schema)))
    this.#report('The job queue: the clock was set back, so schedules and queued work go on from now')
  }
}
