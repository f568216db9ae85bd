import { type Sql, sql } from '../base/sql.ts'
import type { Org } from '../storage/org.ts'

export interface FirstRecord {
  /** Name of the table and of its columns, with their values. */
  readonly table: string
  readonly values: Readonly<Record<string, string | number | boolean | null>>
}

/** A record that must be there before any user is, so it cannot come through the record resources. */
export function insertFirstRecord(
  org: Org,
  { table, values }: FirstRecord,
  userId: string,
  time: string,
): Sql {
  const complete = {
    ...values,
    createddate: time,
    createdbyid: userId,
    lastmodifieddate: time,
    lastmodifiedbyid: userId,
    systemmodstamp: time,
  }
  const columns = Object.keys(complete).map((name) => sql.id(name))
  const own = Object.values(complete).map((value) => sql`${value}`)
  return sql`insert into ${sql.id(org.schemaName, table)} (${sql.join(columns)}) values (${sql.join(own)})`
}
