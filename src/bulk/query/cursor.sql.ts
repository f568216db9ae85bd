import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { pieces } from '../jobs/job.sql.ts'

const NAME = 'bulk_rows'

/** The cursor that the rows of a query are read through. */
export const cursorSql = {
  /** Opens a cursor, whose snapshot all of its rows are of. */
  open: (statement: Sql) => sql`declare ${sql.id(NAME)} no scroll cursor for ${statement}`.replanned(),

  /** Each cursor has other columns, so the statement is never prepared. */
  fetch: (count: number) => sql.raw(`fetch ${BigInt(count)} from ${NAME}`).replanned(),

  /** Stores a piece of the next rows, which are texts; returns nothing when there are no more. */
  storeNext: (org: Org, jobId: string, number: number, firstRecord: number, count: number) =>
    sql`insert into ${pieces(org)} (owner, part, number, first_record, records, bytes)
        select ${jobId}, 'query', ${number}::integer, ${firstRecord}::bigint, count(*), convert_to(string_agg(line, ''), 'UTF8')
        from objectry.fetch_texts(${sql.raw(quoteText(NAME))}, ${count}::integer) line having count(*) > 0
        returning records, octet_length(bytes) as bytes`,
}
