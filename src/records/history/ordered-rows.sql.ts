import { ID_DIGITS, startOfIds } from '../../base/record-id.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { type AuditFields, SYSTEM_COLUMNS, table } from '../../schema/objects/table.sql.ts'
import { withCheckCharacters } from '../../standard/views/check-characters.sql.ts'
import { clockSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { nextBlock } from '../../storage/orgs/orgs.sql.ts'
import { BLOCK_SIZE } from '../../storage/orgs/record-ids.ts'

/** The counter of an id in base 62, as `makeRecordId` writes it. */
const COUNTER = [8, 7, 6, 5, 4, 3, 2, 1, 0]
  .map((place) => `substr('${ID_DIGITS}', 1 + (n / ${62 ** place} % 62)::integer, 1)`)
  .join(' || ')

/**
 * Inserts rows about locked records whose order by `CreatedDate, Id` is that in which the records were locked, whichever server does it:
 * their times and ids are taken by the database while the lock is held. Each id is the first of a block of its own, so that it follows all
 * that were made before.
 * @param rows a query that gives the columns, of records that it locks or that are locked
 */
export function insertOrdered(
  org: Org,
  object: ObjectType,
  columns: readonly Sql[],
  rows: Sql,
  { userId, timestamp }: AuditFields,
): Sql {
  const listed = sql.join(columns)
  const start = sql.raw(quoteText(startOfIds(object.keyPrefix)))
  const system = SYSTEM_COLUMNS.map((name) => sql.id(name))
  // Offsets keep what is volatile from being evaluated more than once, or before the locks.
  return sql`insert into ${table(org, object)} (${sql.join([...system, ...columns])})
             select ${sql.raw(withCheckCharacters('named.id'))}, at, ${userId}, at, ${userId}, at, ${listed}
             from (select ${start} || ${sql.raw(COUNTER)} as id, counted.*
                   from (select ${nextBlock(org)} * ${sql.raw(String(BLOCK_SIZE))}::bigint as n, ${clockSql(timestamp)} as at, locked.*
                         from (${rows} offset 0) locked offset 0) counted offset 0) named`
}
