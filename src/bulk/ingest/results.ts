import { ByteStream, type Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { CsvWriter } from '../csv/csv-rows.ts'
import { UploadError, UploadReader } from '../csv/upload-reader.ts'
import { pieceSql } from '../jobs/job.sql.ts'
import { DELIMITERS, isOver, type Job, LINE_ENDINGS, wrongState } from '../jobs/job.ts'
import { CSV_TYPE, joinPieces, type StoredPiece } from '../jobs/stored-pieces.ts'
import { readHeader } from './read-header.ts'

/** Rows that are written at a time. */
const ROWS_AT_ONCE = 1000

const FIRST_COLUMNS = {
  successful: ['sf__Id', 'sf__Created'],
  failed: ['sf__Id', 'sf__Error'],
} as const

const csvReply = (body: ByteStream): Reply => ({ status: 200, body, headers: { 'Content-Type': CSV_TYPE } })

function checkIsOver(job: Job): void {
  if (isOver(job)) return
  throw wrongState(`The job is ${job.state}; it has results when it is JobComplete, Failed or Aborted.`)
}

/** The names of the columns as they were uploaded; undefined where there are none. */
async function findNames({ db, org }: Context, job: Job): Promise<readonly string[] | undefined> {
  if (job.uploadBytes === 0) return undefined
  try {
    return (await readHeader(db, org, job))?.names
  } catch {
    // The job failed for its header.
    return undefined
  }
}

const makeWriter = (job: Job) =>
  new CsvWriter(DELIMITERS[job.columnDelimiter]!, LINE_ENDINGS[job.lineEnding]!)

/** The rows that were written, or refused, with the columns of the upload. */
export async function readResults(ctx: Context, job: Job, part: keyof typeof FIRST_COLUMNS): Promise<Reply> {
  checkIsOver(job)
  const { db, org } = ctx
  const names = await findNames(ctx, job)
  const header = names === undefined ? '' : makeWriter(job).row([...FIRST_COLUMNS[part], ...names])
  const first = Buffer.from(header)
  const pieces = await db.query<StoredPiece>(pieceSql.list(org, job.id, part))
  const length = pieces.reduce((sum, piece) => sum + piece.length, first.length)
  return csvReply(new ByteStream(length, () => joinPieces(ctx, job.id, part, pieces, [first]), true))
}

/** The rows that were not tried, with the columns of the upload. */
export async function readUnprocessed(ctx: Context, job: Job): Promise<Reply> {
  checkIsOver(job)
  const names = await findNames(ctx, job)
  const first = Buffer.from(names === undefined ? '' : makeWriter(job).row(names))
  if (names === undefined || job.state === 'JobComplete') {
    return csvReply(new ByteStream(first.length, () => joinPieces(ctx, job.id, 'failed', [], [first]), true))
  }
  return csvReply(new ByteStream(undefined, () => writeUnprocessed(ctx, job, first), true))
}

async function* writeUnprocessed(ctx: Context, job: Job, first: Buffer): AsyncGenerator<Buffer> {
  const writer = makeWriter(job)
  const header = await readHeader(ctx.db, ctx.org, job)
  const reader = new UploadReader(ctx.db, ctx.org, job, Math.max(header!.position, job.readBytes))
  yield first
  for (;;) {
    const found = await reader.peek(ROWS_AT_ONCE).catch((error) => {
      if (error instanceof UploadError) return undefined
      throw error
    })
    if (found === undefined) return
    yield Buffer.from(found.rows.map(({ cells }) => writer.row(cells)).join(''))
    if (found.isLast) return
    reader.advance(found)
  }
}
