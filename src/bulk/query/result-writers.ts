import { decodeInSlices } from '../../access/decode-in-slices.ts'
import type { Context } from '../../context.ts'
import type { QueryContext } from '../../soql/analyze/query-context.ts'
import { makeDecodeContext } from '../../soql/run-query.ts'
import { querySql } from '../../soql/sql/statement.sql.ts'
import type { Db } from '../../storage/database/db.ts'
import type { CsvWriter } from '../csv/write-csv.ts'
import { pieceSql } from '../jobs/job.sql.ts'
import { type BulkQuery, readColumn } from './compile-query.ts'
import { compileLine } from './csv-line.sql.ts'
import { cursorSql } from './cursor.sql.ts'

/** A piece that was stored. */
interface Stored {
  readonly records: number
  readonly bytes: number
}

/**
 * Stores the next rows of the cursor as a piece.
 * @param count of rows at most; fewer are the last ones
 */
export type WriteNext = (db: Db, number: number, firstRecord: number, count: number) => Promise<Stored>

const NOTHING: Stored = { records: 0, bytes: 0 }

/** Decodes rows here, as other calls do. */
function makeDecodingWriter(
  ctx: Context,
  jobId: string,
  { query, columns }: BulkQuery,
  writer: CsvWriter,
): WriteNext {
  const { org, deadline } = ctx
  const decodeContext = makeDecodeContext(ctx)
  return async (db, number, firstRecord, count) => {
    const rows = await db.rows(cursorSql.fetch(jobId, count))
    if (rows.length === 0) return NOTHING
    const bytes = await decodeInSlices({ open: decodeContext.open, deadline }, function* (open) {
      const decoding = { ...decodeContext, open }
      let text = ''
      for (const row of rows) {
        const record = query.format.read(row, 0, decoding)!
        text += writer.row(columns.map((column) => readColumn(column, record)))
        yield
      }
      return Buffer.from(text)
    })
    const piece = { number, firstRecord, records: rows.length, bytes }
    await db.query(pieceSql.store(org, jobId, 'query', piece))
    return { records: rows.length, bytes: bytes.length }
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
  writer: CsvWriter,
  isHeld: boolean,
): Promise<WriteNext> {
  const { db, org } = ctx
  const { query, columns } = compiled
  const line = compileLine(columns, writer)
  if (line === undefined) {
    await db.query(cursorSql.open(jobId, querySql.all(org, query, queryContext), isHeld))
    return makeDecodingWriter(ctx, jobId, compiled, writer)
  }
  const lines = { plan: query.plan, format: { columns: [line] }, children: [] }
  await db.query(cursorSql.open(jobId, querySql.all(org, lines, queryContext), isHeld))
  return async (db, number, firstRecord, count) => {
    const [stored] = await db.query<Stored>(cursorSql.storeNext(org, jobId, number, firstRecord, count))
    return stored ?? NOTHING
  }
}
