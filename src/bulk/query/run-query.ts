import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { loadQueryContext } from '../../soql/analyze/load-query-context.ts'
import { callersDb } from '../../storage/callers-db.ts'
import { besideCalls } from '../../storage/database/connection-guard.ts'
import type { Db, Engine } from '../../storage/database/db.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { jobSql, pieceSql, type QueryOutcome } from '../jobs/job.sql.ts'
import type { Job } from '../jobs/job.ts'
import { queueNext } from '../jobs/job-store.ts'
import {
  failJob,
  injectJobFaults,
  JobFailure,
  makeJobContext,
  type RunEnd,
  type RunServices,
  timeIn,
} from '../jobs/run.ts'
import { stepRoute } from '../jobs/step-route.ts'
import { loadStorageLeft, storageFull } from '../jobs/usage.ts'
import { compileBulkQuery } from './compile-query.ts'
import { cursorSql } from './cursor.sql.ts'
import { makeRecordText } from './record-text.ts'
import { openResult, type WriteNext } from './result-writers.ts'

/** A piece of a result ends with the record that reaches one of these: records may be of any size. */
const PIECE = { bytes: 192 * 1024, records: 10_000 }

/** How often it is noted how far the job is, and checked whether it was aborted: after so many pieces. */
const NOTE_PIECES = 8

/** Takes back what was written. */
class Stopped extends Error {
  readonly end: RunEnd

  constructor(end: RunEnd) {
    super('stopped')
    this.end = end
  }
}

/** Why a job fails. Throws what another try may not have. */
function findReason(error: Error, { parentId }: Job): string {
  if (error instanceof JobFailure) return error.message
  const isOfQuery = error instanceof ApiError && error.status < 500
  if (!isOfQuery && databaseFault(error)?.kind !== 'out of range') throw error
  if (parentId === null) return `InvalidBatch : ${error.message}`
  const code = error instanceof ApiError ? `${error.code}: ` : ''
  return `InvalidBatch : Failed to process query: ${code}${error.message}`
}

interface QueryServices extends RunServices {
  readonly openMaintenance: Engine['openMaintenance']
}

/** Carries out a part of the work. */
type Step = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** How a result is read and stored. */
interface Reading {
  readonly step: Step
  /** Where it is noted how far the job is; undefined: each step is a transaction, which the cursor outlives and which notes it. */
  readonly notes: Db | undefined
}

/**
 * Reads the result of a query into pieces through one cursor, so all records are of one moment. After a crash it begins again. On
 * PostgreSQL it is one transaction on a connection that is none of those that calls have. On the embedded engine, where others would
 * wait for that, the cursor's rows are made at once and each piece is a transaction.
 */
export class QueryRun {
  readonly #services: QueryServices
  readonly #org: Org
  readonly #job: Job

  constructor(services: QueryServices, org: Org, job: Job) {
    this.#services = services
    this.#org = org
    this.#job = job
  }

  /** @param mustStop checked after each piece */
  async run(mustStop: () => boolean): Promise<RunEnd> {
    const maintenance = await this.#services.openMaintenance()
    try {
      const ctx = await makeJobContext(this.#services, this.#org, this.#job)
      await injectJobFaults(this.#services, ctx, this.#job, { ...stepRoute(this.#job), step: 1 })
      const db = callersDb(maintenance.db, this.#org, ctx.principal.userId)
      const { records: rows, milliseconds } = maintenance.isConcurrent
        ? await db.transaction((tx) => this.#readAtOnce(ctx, tx, mustStop))
        : await this.#readStepwise(ctx, db, mustStop)
      this.#services.observe({ kind: 'bulk chunk', work: 'query', rows, failed: 0, milliseconds })
      this.#services.observe({ kind: 'bulk end', work: 'query', state: 'JobComplete' })
      return 'over'
    } catch (error) {
      if (error instanceof Stopped) return error.end
      await failJob(this.#services, this.#org, this.#job, findReason(error as Error, this.#job))
      return 'over'
    } finally {
      await maintenance.close()
    }
  }

  #readAtOnce(ctx: Context, tx: Db, mustStop: () => boolean): Promise<QueryOutcome> {
    // Others would see the transaction's notes only at its end.
    return this.#read(ctx, { step: (work) => work(tx), notes: this.#services.db }, mustStop)
  }

  async #readStepwise(ctx: Context, db: Db, mustStop: () => boolean): Promise<QueryOutcome> {
    const { id } = this.#job
    const step: Step = (work) => db.transaction(work)
    try {
      return await this.#read(ctx, { step, notes: undefined }, mustStop)
    } catch (error) {
      await step((tx) => this.#removeOwn(tx))
      throw error
    } finally {
      // It is not there if it could not be opened.
      await db.query(cursorSql.close(id)).catch(() => {})
    }
  }

  /** Removes what was stored, unless another run has begun. */
  async #removeOwn(db: Db): Promise<void> {
    const [current] = await db.query<Job>(
      jobSql.find(this.#org, this.#job.id, timeIn(this.#services, this.#org), true),
    )
    if (current === undefined || current.run === this.#job.run) {
      await db.query(pieceSql.removeOf(this.#org, this.#job.id))
    }
  }

  /** @throws Stopped if another process works on the job, or it is over */
  async #note(db: Db, records: number): Promise<void> {
    const noted = await db.query(
      jobSql.noteRead(this.#org, this.#job, records, timeIn(this.#services, this.#org)),
    )
    if (noted.length === 0) throw new Stopped('over')
  }

  async #open(ctx: Context, isHeld: boolean): Promise<{ writeNext: WriteNext; header: Buffer }> {
    const { db, org } = ctx
    const job = this.#job
    const compiled = compileBulkQuery(ctx, job.query!)
    const { columns, query } = compiled
    const queryContext = await loadQueryContext(ctx, query.plan, job.operation === 'queryAll')
    const recordText = makeRecordText(job, columns)
    const header = Buffer.from(recordText.header)
    await db.query(pieceSql.removeOf(org, job.id))
    const first = { number: 0, firstRecord: 0, records: 0, bytes: header }
    await db.query(pieceSql.store(org, job.id, 'query', first))
    return { writeNext: await openResult(ctx, job.id, compiled, queryContext, recordText, isHeld), header }
  }

  async #read(ctx: Context, { step, notes }: Reading, mustStop: () => boolean): Promise<QueryOutcome> {
    const { org } = ctx
    const began = performance.now()
    const { writeNext, header, left } = await step(async (db) => {
      const inside = { ...ctx, db }
      return { ...(await this.#open(inside, notes === undefined)), left: await loadStorageLeft(inside) }
    })
    let [pieces, records, length] = [1, 0, header.length]
    for (;;) {
      const written = await step(async (db) => {
        if (notes === undefined) await this.#note(db, records)
        return writeNext(db, pieces, records, PIECE)
      })
      if (written.records > 0) pieces++
      records += written.records
      length += written.bytes
      if (length > left) throw new JobFailure(storageFull(ctx).message)
      if (written.records < PIECE.records && written.bytes < PIECE.bytes) break
      if (mustStop()) throw new Stopped('more')
      if (notes !== undefined && pieces % NOTE_PIECES === 0) {
        // The transaction has a connection that is none of the pool's, so nobody waits in a circle.
        await besideCalls(() => this.#note(notes, records))
      }
    }
    const done = { records, pieces, bytes: length, milliseconds: performance.now() - began }
    await step(async (db) => {
      const completed = await db.query(
        jobSql.completeQuery(org, this.#job, done, timeIn(this.#services, org)),
      )
      if (completed.length === 0) throw new Stopped('over')
      await queueNext(db, org, this.#services.queueJob)
    })
    return done
  }
}
