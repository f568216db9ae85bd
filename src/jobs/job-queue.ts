import type { PgBoss } from 'pg-boss'
import { sql, written } from '../base/sql.ts'
import type { Db, Engine } from '../storage/database/db.ts'
import { type CarryOut, QueueWorker, type Working } from './queue-worker.ts'
import type { Work } from './work.ts'

/** The schema of the queue's own tables. */
const SCHEMA = 'objectry_jobs'

/** Seconds without a sign of life after which what a process was doing is done by another. */
const HEARTBEAT = 10
/** How often that is looked for, in seconds. */
const SUPERVISION = 5
/** The queue of what schedules fire. */
const CLOCK = 'schedule'
/** How often a process looks for work that others queued, in seconds. What it queued itself it begins at once. */
const POLLING = 2
/** How often work is begun again that a process died over, or that the database failed. */
const MAX_BEGINNINGS = 10_000
/** Longest that one piece of work may take, in seconds. */
const MAX_LENGTH = 3600
/** How long a server that stops waits for what is under way, in milliseconds. */
const PATIENCE = 10_000
/** How long work waits for somebody to do it, in seconds: whatever was promised is kept, however long no server runs. */
const KEPT = 10 * 365 * 24 * 3600
/** How long what is done is remembered, in seconds. Records tell what became of it. */
const MAX_CACHED = 3600

/** When something happens by itself. */
export interface Schedule {
  readonly name: string
  /** Five fields. */
  readonly cron: string
  readonly timeZone: string
}

/** Is told that the time of a schedule has come. The same occurrence may be told twice, and has the same name then. */
export type Fire = (name: string, occurrence: string) => Promise<void>

export interface QueuedWork extends Work {
  /** Seconds from now. */
  readonly delaySeconds?: number
}

/** The queue's statements are its own; several at once have no values and give no rows. */
const adapterOf = (db: Db) => ({
  async executeSql(text: string, values: readonly unknown[] = []) {
    if (values.length > 0) return { rows: await db.query(written(text, values)) }
    if (!/;\s*\S/.test(text)) return { rows: await db.query(sql.raw(text)) }
    await db.script([sql.raw(text)])
    return { rows: [] }
  },
})

/** Before anything is changed: schedules are kept all or none. */
function checkSchedule(boss: PgBoss, { name, cron, timeZone }: Schedule): void {
  try {
    boss.previewSchedule(cron, { tz: timeZone, count: 1 })
  } catch (error) {
    const message = `The job ${name} has the cron ${cron}, which is none: ${(error as Error).message}`
    throw new Error(message, { cause: error })
  }
}

/**
 * Durable work, in the database: queued in the transaction of whoever wants it done, and begun after its commit, by this
 * process or another, until somebody has ended it. It may be begun twice: who does it looks at its record first.
 */
export class JobQueue {
  readonly #engine: Engine
  readonly #report: (message: string) => void
  readonly #queues: readonly string[]
  readonly #schema: string
  readonly #workers = new Map<string, QueueWorker>()
  #opening: Promise<PgBoss> | undefined
  #clock: Promise<string> | undefined
  #fire: Fire = async () => {}

  constructor(engine: Engine, queues: readonly string[], report: (message: string) => void, schema = SCHEMA) {
    this.#engine = engine
    this.#queues = queues
    this.#report = report
    this.#schema = schema
  }

  /** Makes the queue's tables where there are none yet. Outside of any transaction. */
  async open(): Promise<void> {
    await this.#boss()
  }

  /** Queues work in the transaction of `db`. */
  async send(db: Db, queue: string, work: readonly QueuedWork[]): Promise<void> {
    const boss = await this.#boss()
    const jobs = work.map(({ delaySeconds, ...data }) => ({ data, startAfter: delaySeconds }))
    await boss.insert(queue, jobs, { db: adapterOf(db) })
    if (work.some(({ delaySeconds = 0 }) => delaySeconds === 0)) {
      db.afterCommit(() => this.#workers.get(queue)?.notify())
    }
  }

  /** Has this process work on a queue. */
  async work(queue: string, { max, giveWay }: Working, carryOut: CarryOut): Promise<void> {
    const worker = new QueueWorker({
      ...{ boss: await this.#boss(), queue, max, giveWay, carryOut, report: this.#report },
      polling: POLLING * 1000,
      heartbeat: (HEARTBEAT * 1000) / 3,
    })
    this.#workers.set(queue, worker)
  }

  /**
   * Keeps these schedules and no others; whoever of several processes comes first fires.
   * @throws Error when a schedule is none
   */
  async keepTime(schedules: readonly Schedule[], fire: Fire): Promise<void> {
    const boss = await this.#boss()
    for (const schedule of schedules) checkSchedule(boss, schedule)
    this.#fire = fire
    for (const { key } of await boss.getSchedules(CLOCK)) {
      if (!schedules.some(({ name }) => name === key)) await boss.unschedule(CLOCK, key)
    }
    for (const { name, cron, timeZone } of schedules) {
      await boss.schedule(CLOCK, cron, { name }, { tz: timeZone, key: name })
    }
    this.#clock ??= boss.work<{ readonly name: string }>(
      CLOCK,
      { pollingIntervalSeconds: POLLING },
      async ([job]) => {
        await this.#fire(job!.data.name, `${job!.data.name} ${job!.id}`)
      },
    )
    await this.#clock
  }

  /** Lets what is under way end, up to some seconds. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop(PATIENCE)))
    const boss = await this.#opening?.catch(() => undefined)
    await boss?.stop({ graceful: true, timeout: PATIENCE })
  }

  #boss(): Promise<PgBoss> {
    this.#opening ??= this.#start().catch((error) => {
      // What failed once, as on a database that was away, is tried again by whoever comes next.
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #start(): Promise<PgBoss> {
    const { PgBoss } = await import('pg-boss')
    const boss = new PgBoss({
      db: adapterOf(this.#engine.db),
      backend: this.#engine.kind === 'pglite' ? 'pglite' : 'postgres',
      schema: this.#schema,
      superviseIntervalSeconds: SUPERVISION,
      monitorIntervalSeconds: SUPERVISION,
      // Statements of ours are none of its business.
      monitorVacuum: false,
      reindex: false,
    })
    boss.on('error', (error) => this.#report(`The job queue: ${error.message}`))
    boss.on('warning', ({ message }) => this.#report(`The job queue: ${message}`))
    await boss.start()
    for (const name of [...this.#queues, CLOCK]) {
      await boss.createQueue(name, {
        retryLimit: MAX_BEGINNINGS,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 300,
        heartbeatSeconds: HEARTBEAT,
        expireInSeconds: MAX_LENGTH,
        deleteAfterSeconds: MAX_CACHED,
        retentionSeconds: KEPT,
      })
      // What a queue is like is asked for now: in a transaction of the embedded engine nothing else can be asked.
      await boss.insert(name, [])
    }
    return boss
  }
}
