import { ApiError } from '../../base/api-error.ts'
import { toApiError } from '../../calls/dispatch.ts'
import type { Context } from '../../context.ts'
import { faultError } from '../../storage/database/fault-error.ts'
import { LockRetries } from '../../storage/database/lock-retries.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { UploadError, UploadReader, type UploadRows } from '../csv/upload-reader.ts'
import { jobSql, pieceSql } from '../jobs/job.sql.ts'
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
import { resolveColumns } from './columns.ts'
import { type Header, readHeader } from './read-header.ts'
import { GROUP_ROWS, RepeatedRows } from './repeated-rows.ts'
import { writeResults } from './row-results.ts'
import {
  changesOnce,
  isTemporary,
  type RowOutcome,
  type RowsTarget,
  runsTriggers,
  TemporaryFailure,
  TRIGGER_LIST_SIZE,
  writeRows,
} from './write-rows.ts'

/** Rows of a chunk, which is one transaction. Larger ones make nothing faster, and their rows live long enough to fill the memory. */
const MAX_CHUNK_ROWS = 500
/** A chunk that takes longer is followed by smaller ones, one that takes less by larger ones, in milliseconds. */
const LONG_CHUNK_MS = 1500
/** How many bytes of results are stored until the storage of the org is checked. */
const CHECK_BYTES = 8 * 1024 * 1024
const NONE: ReadonlySet<number> = new Set()
/** How many times smaller the chunk is that follows a failed one. */
const SHRINK = 8

/** Another process works on the job, or it was aborted. */
class JobLost extends Error {}

/** The rest of the database's failures lets the whole run fail, which the queue repeats. */
const endsRun = (error: unknown) => {
  const kind = databaseFault(error)?.kind
  return kind === 'unreachable' || kind === 'unknown outcome'
}

/** The first row shows how the lines of an upload end. */
function checkLineEnding({ settings }: Context, job: Job, { lineEnding }: Header): void {
  // Batches of version 1 say nothing of it.
  if (settings.lenient || job.parentId !== null || lineEnding === undefined || lineEnding === job.lineEnding)
    return
  throw new JobFailure(
    `ClientInputError : LineEnding is invalid on user data. Current LineEnding setting is ${job.lineEnding}`,
  )
}

function makeTarget(ctx: Context, job: Job, header: Header): RowsTarget {
  checkLineEnding(ctx, job, header)
  const object = ctx.visible.object(job.object)
  if (object === undefined) {
    throw new JobFailure(`InvalidEntity : Entity '${job.object}' is not supported by the Bulk API.`)
  }
  return { object, job, columns: resolveColumns(ctx, object, job, header.names) }
}

/** Processes the upload of a job, chunk by chunk. */
export class IngestRun {
  readonly #services: RunServices
  readonly #org: Org
  #job: Job
  #unchecked = 0

  constructor(services: RunServices, org: Org, job: Job) {
    this.#services = services
    this.#org = org
    this.#job = job
  }

  /** @param mustPause checked after each chunk */
  async run(mustPause: () => boolean): Promise<RunEnd> {
    const { uploadBytes } = this.#job
    try {
      const header = uploadBytes === 0 ? undefined : await readHeader(this.#services.db, this.#org, this.#job)
      if (header === undefined) {
        await this.#complete()
        return 'over'
      }
      return await this.#processRows(header, mustPause)
    } catch (error) {
      if (error instanceof JobLost) return 'over'
      const isOfUpload = error instanceof JobFailure || error instanceof UploadError
      if (!isOfUpload) throw error
      const message = error instanceof UploadError ? `InvalidBatch : ${error.message}` : error.message
      await failJob(this.#services, this.#org, this.#job, message)
      return 'over'
    }
  }

  async #processRows(header: Header, mustPause: () => boolean): Promise<RunEnd> {
    const { db } = this.#services
    const start = Math.max(header.position, this.#job.readBytes)
    const reader = new UploadReader(db, this.#org, this.#job, start)
    const repeats = this.#makeRepeatedRows(header, start)
    let size = MAX_CHUNK_ROWS
    for (;;) {
      const ctx = await makeJobContext(this.#services, this.#org, this.#job)
      const target = makeTarget(ctx, this.#job, header)
      const max = runsTriggers(ctx, target) ? TRIGGER_LIST_SIZE : MAX_CHUNK_ROWS
      size = Math.min(size, max)
      const chunk = await this.#peek(reader, size)
      const began = performance.now()
      const { processed } = this.#job
      const repeated = changesOnce(ctx, target)
        ? await repeats.find(target, processed, chunk.rows.length)
        : NONE
      const written = await this.#tryChunk(ctx, target, header, chunk, repeated)
      if (written === 'smaller') {
        size = Math.max(1, Math.floor(Math.min(size, chunk.rows.length) / SHRINK))
        continue
      }
      reader.advance(chunk)
      if (chunk.isLast) return 'over'
      await this.#checkStorage(ctx)
      const took = performance.now() - began
      size = took > LONG_CHUNK_MS ? Math.max(1, Math.floor(size / 2)) : Math.min(max, size * 2)
      if (mustPause()) return 'more'
    }
  }

  /** A run that begins inside of a group has to read that from its start. */
  #makeRepeatedRows(header: Header, start: number): RepeatedRows {
    const { processed } = this.#job
    const isInside = processed % GROUP_ROWS !== 0
    const position = isInside ? header.position : start
    const reader = new UploadReader(this.#services.db, this.#org, this.#job, position)
    return new RepeatedRows(reader, isInside ? 0 : processed)
  }

  /** Results may be many times as long as the rows: an error of each, and a value for each column. */
  async #checkStorage(ctx: Context): Promise<void> {
    if (this.#unchecked < CHECK_BYTES) return
    this.#unchecked = 0
    if ((await loadStorageLeft(ctx)) < 0) throw new JobFailure(storageFull(ctx).message)
  }

  async #peek(reader: UploadReader, size: number): Promise<UploadRows> {
    try {
      return await reader.peek(size)
    } catch (error) {
      if (!(error instanceof UploadError)) throw error
      const row = this.#job.processed + 1
      throw new UploadError(`row ${row}: ${error.message}`)
    }
  }

  async #injectFaults(ctx: Context, { rows }: UploadRows): Promise<void> {
    try {
      const step = { ...stepRoute(this.#job), step: this.#job.pieces + 1 }
      await injectJobFaults(this.#services, ctx, this.#job, step)
    } catch (error) {
      const isTried = error instanceof ApiError && isTemporary(error) && rows.length > 1
      throw isTried ? new TemporaryFailure(error) : error
    }
  }

  /** Writes a chunk. If it fails again and again, its rows have to be tried in smaller ones. */
  async #tryChunk(
    ctx: Context,
    target: RowsTarget,
    header: Header,
    chunk: UploadRows,
    repeated: ReadonlySet<number>,
  ): Promise<'written' | 'smaller'> {
    const retries = new LockRetries(ctx)
    const attempt = async () => {
      await this.#injectFaults(ctx, chunk)
      await this.#writeChunk(ctx, header, chunk, (inside) => {
        retries.begin()
        return writeRows(inside, target, chunk.rows, repeated)
      })
    }
    const isLocked = (error: unknown) =>
      !(error instanceof JobLost || endsRun(error)) &&
      (error instanceof TemporaryFailure || databaseFault(error)?.kind === 'locked')
    try {
      await retries.run(attempt, isLocked)
    } catch (error) {
      if (error instanceof JobLost || endsRun(error)) throw error
      if (databaseFault(error)?.kind === 'outdated') {
        await ctx.refresh(ctx.db)
        return 'smaller'
      }
      if (chunk.rows.length > 1) return 'smaller'
      const refusal = faultError(error) ?? toApiError(error, ctx)
      await this.#writeChunk(ctx, header, chunk, async () => [{ created: false, error: refusal }])
    }
    return 'written'
  }

  /** One transaction: the rows, their results, and the note that they are done. */
  async #writeChunk(
    ctx: Context,
    header: Header,
    chunk: UploadRows,
    write: (inside: Context) => Promise<readonly RowOutcome[]>,
  ): Promise<void> {
    const job = this.#job
    const org = this.#org
    const began = performance.now()
    const progress = await ctx.db.transaction(async (db) => {
      const [locked] = await db.query(jobSql.lockForChunk(org, job))
      if (locked === undefined) throw new JobLost()
      const outcomes = await write({ ...ctx, db })
      const { parts, failures } = writeResults(job, header, chunk, outcomes)
      const piece = { number: job.pieces, firstRecord: job.processed, records: chunk.rows.length }
      for (const [part, bytes] of parts) {
        if (bytes.length > 0) await db.query(pieceSql.store(org, job.id, part, { ...piece, bytes }))
      }
      const noted = {
        readBytes: chunk.position,
        processed: chunk.rows.length,
        failed: failures,
        resultBytes: parts.reduce((sum, [, { length }]) => sum + length, 0),
        milliseconds: performance.now() - began,
        isLast: chunk.isLast,
      }
      await db.query(jobSql.noteChunk(org, job.id, noted, timeIn(this.#services, org)))
      if (chunk.isLast) await queueNext(db, org, this.#services.queueJob)
      return noted
    })
    this.#job = {
      ...job,
      readBytes: progress.readBytes,
      processed: job.processed + progress.processed,
      failed: job.failed + progress.failed,
      pieces: job.pieces + 1,
    }
    this.#unchecked += progress.resultBytes
    const { processed: rows, failed, milliseconds } = progress
    this.#services.observe({ kind: 'bulk chunk', work: 'ingest', rows, failed, milliseconds })
    if (chunk.isLast) this.#reportEnd()
  }

  #reportEnd(): void {
    this.#services.observe({ kind: 'bulk end', work: 'ingest', state: 'JobComplete' })
  }

  /** Completes a job without rows. */
  async #complete(): Promise<void> {
    const { db } = this.#services
    const job = this.#job
    const chunk = {
      readBytes: job.readBytes,
      processed: 0,
      failed: 0,
      resultBytes: 0,
      milliseconds: 0,
      isLast: true,
    }
    await db.transaction(async (tx) => {
      const [locked] = await tx.query(jobSql.lockForChunk(this.#org, job))
      if (locked === undefined) throw new JobLost()
      await tx.query(jobSql.noteChunk(this.#org, job.id, chunk, timeIn(this.#services, this.#org)))
      await queueNext(tx, this.#org, this.#services.queueJob)
    })
    this.#reportEnd()
  }
}
