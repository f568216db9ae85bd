import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { loadQueryContext } from '../../soql/analyze/load-query-context.ts'
import { callersDb } from '../../storage/callers-db.ts'
import type { Engine } from '../../storage/database/db.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { CsvWriter } from '../csv/write-csv.ts'
import { jobSql, pieceSql, type QueryOutcome } from '../jobs/job.sql.ts'
import { DELIMITERS, type Job, LINE_ENDINGS } from '../jobs/job.ts'
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
import { loadStorageLeft, storageFull } from '../jobs/storage.ts'
import { compileBulkQuery } from './compile-query.ts'
import { openResult } from './result-writers.ts'

/** A piece of a result has about as many bytes; records may be of any size, so the first one is of few. */
const PIECE_BYTES = 512 * 1024
const FIRST_RECORDS = 20
const MAX_RECORDS = 10_000
const MAX_GROWTH = 8

/** How often it is checked whether the job was aborted: after so many pieces. */
const CHECK_PIECES = 8

/** Takes back what was written. */
class Stopped extends Error {
  readonly end: RunEnd

  constructor(end: RunEnd) {
    super('stopped')
    this.end = end
  }
}

/** Why a job fails. Throws what another try may not have. */
function findReason(error: Error): string {
  if (error instanceof JobFailure) return error.message
  const isOfQuery = error instanceof ApiError && error.status < 500
  if (!isOfQuery && databaseFault(error)?.kind !== 'out of range') throw error
  return `InvalidBatch : ${error.message}`
}

interface QueryServices extends RunServices {
  readonly openMaintenance: Engine['openMaintenance']
}

/**
 * Reads the result of a query into pieces: one transaction and one cursor, so all records are of one moment, and after a crash it
 * begins again. Its connection is none of those that calls have.
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
      await injectJobFaults(this.#services, ctx, this.#job, { route: '/jobs/query', method: 'POST', step: 1 })
      const db = callersDb(maintenance.db, this.#org, ctx.principal.userId)
      const { records: rows, milliseconds } = await db.transaction((tx) =>
        this.#write({ ...ctx, db: tx }, mustStop),
      )
      this.#services.observe({ kind: 'bulk chunk', work: 'query', rows, failed: 0, milliseconds })
      this.#services.observe({ kind: 'bulk end', work: 'query', state: 'JobComplete' })
      return 'over'
    } catch (error) {
      if (error instanceof Stopped) return error.end
      await failJob(this.#services, this.#org, this.#job, findReason(error as Error))
      return 'over'
    } finally {
      await maintenance.close()
    }
  }

  async #write(ctx: Context, mustStop: () => boolean): Promise<QueryOutcome> {
    const { db, org } = ctx
    const job = this.#job
    const began = performance.now()
    const compiled = compileBulkQuery(ctx, job.query!)
    const { columns, query } = compiled
    const queryContext = await loadQueryContext(ctx, query.plan, job.operation === 'queryAll')
    const writer = new CsvWriter(DELIMITERS[job.columnDelimiter]!, LINE_ENDINGS[job.lineEnding]!)
    const header = Buffer.from(writer.row(columns.map(({ name }) => name)))
    const first = { number: 0, firstRecord: 0, records: 0, bytes: header }
    await db.query(pieceSql.store(org, job.id, 'query', first))
    const left = await loadStorageLeft(ctx)
    const writeNext = await openResult(ctx, job.id, compiled, queryContext, writer)
    let [pieces, records, length, count] = [1, 0, header.length, FIRST_RECORDS]
    for (;;) {
      const written = await writeNext(pieces, records, count)
      if (written.records > 0) pieces++
      records += written.records
      length += written.bytes
      if (length > left) throw new JobFailure(storageFull(ctx).message)
      if (written.records < count) break
      const fitting = Math.ceil((written.records * PIECE_BYTES) / written.bytes)
      count = Math.max(1, Math.min(fitting, count * MAX_GROWTH, MAX_RECORDS))
      if (mustStop()) throw new Stopped('more')
      if (pieces % CHECK_PIECES === 0 && (await db.query(jobSql.isRunning(org, job))).length === 0) {
        throw new Stopped('over')
      }
    }
    const done = { records, pieces, bytes: length, milliseconds: performance.now() - began }
    const completed = await db.query(jobSql.completeQuery(org, job, done, timeIn(this.#services, org)))
    if (completed.length === 0) throw new Stopped('over')
    await queueNext(db, org, this.#services.queueJob)
    return done
  }
}
