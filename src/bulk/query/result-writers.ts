import { decodeInSlices } from '../../access/decode-in-slices.ts'
import type { Context } from '../../context.ts'
import type { QueryContext } from '../../soql/analyze/query-context.ts'
import { makeDecodeContext } from '../../soql/run-query.ts'
import { querySql } from '../../soql/sql/statement.sql.ts'
import type { Db, Row } from '../../storage/database/db.ts'
import { pieceSql } from '../jobs/job.sql.ts'
import type { BulkQuery } from './compile-query.ts'
import { compileLine } from './csv-line.sql.ts'
import { cursorSql, type PieceBounds } from './cursor.sql.ts'
import type { RecordText } from './record-text.ts'

/** A piece that was stored. */
interface Stored {
  readonly records: number
  readonly bytes: number
}

/** Stores the next rows of the cursor as a piece; one below both of its bounds is the last one. */
export type WriteNext = (db: Db, number: number, firstRecord: number, most: PieceBounds) => Promise<Stored>

const NOTHING: Stored = { records: 0, bytes: 0 }

/** Rows that are fetched together hold no more than this, however long their values are; a single one may. */
const FETCH_BYTES = 1024 * 1024

/** Decodes rows here, as other calls do. */
function makeDecodingWriter(
  ctx: Context,
  jobId: string,
  { query }: BulkQuery,
  recordText: RecordText,
): WriteNext {
  const { org, deadline } = ctx
  const decodeContext = makeDecodeContext(ctx)
  const mostFetched = Math.max(1, Math.floor(FETCH_BYTES / query.format.width.bytes))
  const write = (rows: readonly Row[], hasFirst: boolean) =>
    decodeInSlices({ open: decodeContext.open, deadline }, function* (open) {
      const decoding = { ...decodeContext, open }
      let text = ''
      let isFirst = hasFirst
      for (const row of rows) {
        const record = query.format.read(row, 0, decoding)!
        text += recordText.write(record, isFirst)
        isFirst = false
        yield
      }
      return Buffer.from(text)
    })
  return async (db, number, firstRecord, most) => {
    const parts: Buffer[] = []
    let [records, length, isLast] = [0, 0, false]
    while (!isLast && records < most.records && length < most.bytes) {
      const count = Math.min(mostFetched, most.records - records)
      const rows = await db.rows(cursorSql.fetch(jobId, count))
      isLast = rows.length < count
      const part = await write(rows, firstRecord + records === 0)
      records += rows.length
      parts.push(part)
      length += part.length
    }
    if (records === 0) return NOTHING
    const piece = { number, firstRecord, records, bytes: Buffer.concat(parts) }
    await db.query(pieceSql.store(org, jobId, 'query', piece))
    return { records, bytes: length }
  }
}

/**
 * Opens the cursor of a query. Where the database can write all values, neither rows nor pieces come to this process, which is
 * faster and leaves it to other calls.
 * @param isHeld whether the cursor outlives the transaction of `ctx.db`
 */
export async function openResult(
  ctx: Context,
  jobId: string,
  compiled: BulkQuery,
  queryContext: QueryContext,
  recordText: RecordText,
  isHeld: boolean,
): Promise<WriteNext> {
  const { db, org } = ctx
  const { query, columns } = compiled
  const line = recordText.csv && compileLine(columns, recordText.csv)
  if (line === undefined) {
    await db.query(cursorSql.open(jobId, querySql.all(org, query, queryContext), isHeld))
    return makeDecodingWriter(ctx, jobId, compiled, recordText)
  }
  const lines = { plan: query.plan, format: { columns: [line] }, children: [] }
  await db.query(cursorSql.open(jobId, querySql.all(org, lines, queryContext), isHeld))
  return async (db, number, firstRecord, most) => {
    const [stored] = await db.query<Stored>(cursorSql.storeNext(org, jobId, number, firstRecord, most))
    return stored ?? NOTHING
  }
}
