import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { splitIntoPieces } from '../../storage/pass-bytes.ts'
import { countWhole } from '../csv/upload-reader.ts'
import { jobSql, pieceSql } from '../jobs/job.sql.ts'
import { type Job, wrongState } from '../jobs/job.ts'
import { timeOf } from '../jobs/job-store.ts'
import { loadStorageLeft, storageFull } from '../jobs/usage.ts'

/** Of one upload, unpacked. */
const MAX_UPLOAD_BYTES = 150 * 1024 * 1024

/** Checks that a text is UTF-8, piece by piece. */
class TextCheck {
  #rest: Uint8Array = new Uint8Array(0)
  #position = 0

  /** @throws ApiError */
  add(piece: Uint8Array): void {
    const bytes =
      this.#rest.length === 0
        ? Buffer.from(piece.buffer, piece.byteOffset, piece.length)
        : Buffer.concat([this.#rest, piece])
    const whole = countWhole(bytes)
    if (!isUtf8(bytes.subarray(0, whole))) {
      const isWide = this.#position === 0 && /^(?:\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 2))
      throw new ApiError(
        'INVALIDJOB',
        `The rows are not UTF-8 text${isWide ? ', but UTF-16' : ''}. Write the file as UTF-8 and upload it again.`,
      )
    }
    this.#rest = Buffer.from(bytes.subarray(whole))
    this.#position += whole
  }

  end(): void {
    if (this.#rest.length > 0 && !isUtf8(this.#rest))
      throw new ApiError('INVALIDJOB', 'The rows are not UTF-8 text.')
  }
}

/** An upload has to be one, and the job has to wait for it. */
function checkMayUpload({ id, state, uploadId }: Job): void {
  if (state !== 'Open') throw wrongState(`The job is ${state}; only an Open job takes data.`)
  if (uploadId === null) return
  throw new ApiError(
    'INVALIDJOB',
    `Found multiple contents for job: <${id}>, please 'Close' / 'Abort' / 'Delete' the current Job then create a new Job and make sure you only do 'PUT' once on a given Job.`,
  )
}

/**
 * Stores the rows of a job while they come. Only the piece that is being stored is held in memory. An upload that breaks off
 * leaves the job as it was.
 * @throws ApiError
 */
export async function receiveRows(
  ctx: Context,
  job: Job,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const { db, org } = ctx
  checkMayUpload(job)
  const left = await loadStorageLeft(ctx)
  const owner = `${job.id}/${randomUUID()}`
  const check = new TextCheck()
  let length = 0
  let number = 0
  try {
    for await (const piece of splitIntoPieces(bytes)) {
      length += piece.length
      if (length > MAX_UPLOAD_BYTES) {
        throw new ApiError('REQUEST_BODY_TOO_LARGE', `An upload is larger than ${MAX_UPLOAD_BYTES} bytes.`)
      }
      if (length > left) throw storageFull(ctx)
      check.add(piece)
      await db.query(
        pieceSql.store(org, owner, 'upload', { number: number++, firstRecord: 0, records: 0, bytes: piece }),
      )
    }
    check.end()
    const attached = await db.query(jobSql.attachUpload(org, job.id, owner, length, timeOf(ctx)))
    if (attached.length === 0) throw wrongState('The job took other data or was closed meanwhile.')
  } catch (error) {
    await db.query(pieceSql.removeOwned(org, owner)).catch(() => {})
    throw error
  }
}
