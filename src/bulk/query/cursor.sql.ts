import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { pieces } from '../jobs/job.sql.ts'

/** A piece ends with the row that reaches one of these. */
export interface PieceBounds {
  readonly records: number
  readonly bytes: number
}

const nameOf = (jobId: string) => `bulk ${jobId}`

/** The cursor that the rows of a query are read through. */
export const cursorSql = {
  /**
   * Opens a cursor, whose snapshot all of its rows are of.
   * @param isHeld it outlives its transaction, whose end makes all rows and keeps them
   */
  open: (jobId: string, statement: Sql, isHeld: boolean) =>
    sql`declare ${sql.id(nameOf(jobId))} no scroll cursor ${sql.raw(isHeld ? 'with hold ' : '')}for ${statement}`.replanned(),

  /** Each cursor has other columns, so the statement is never prepared. */
  fetch: (jobId: string, count: number) =>
    sql`fetch ${sql.raw(String(BigInt(count)))} from ${sql.id(nameOf(jobId))}`.replanned(),

  close: (jobId: string) => sql`close ${sql.id(nameOf(jobId))}`.replanned(),

  /** Stores a piece of the next rows, which are texts; returns nothing when there are no more. It ends with the row that makes it enough. */
  storeNext: (org: Org, jobId: string, number: number, firstRecord: number, most: PieceBounds) =>
    sql`insert into ${pieces(org)} (owner, part, number, first_record, records, bytes)
        select ${jobId}, 'query', ${number}::integer, ${firstRecord}::bigint, count(*), convert_to(string_agg(line, ''), 'UTF8')
        from objectry.fetch_texts(${nameOf(jobId)}, ${most.records}::integer, ${most.bytes}::integer) line
        having count(*) > 0
        returning records, octet_length(bytes) as bytes`,
}
