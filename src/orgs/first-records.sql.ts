import { type Sql, sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

export interface FirstRecord {
  /** The table, and values by column. */
  readonly table: string
  readonly values: Readonly<Record<string, string | number | boolean | null>>
}

/** Inserts records that no user creates through the data API: they must exist before the first user, or a deployment brings them. */
export function insertFirstRecords(
  org: Org,
  records: readonly FirstRecord[],
  userId: string,
  time: string,
): Sql[] {
  const complete = records.map(({ table, values }) => ({
    table,
    values: {
      ...values,
      createddate: time,
      createdbyid: userId,
      lastmodifieddate: time,
      lastmodifiedbyid: userId,
      systemmodstamp: time,
    } as FirstRecord['values'],
  }))
  // Records with the same table and columns go into one statement.
  const alike = Map.groupBy(complete, ({ table, values }) => `${table} ${Object.keys(values)}`)
  return [...alike.values()].map((group) => {
    const [{ table, values }] = group as [FirstRecord]
    const columns = Object.keys(values).map((name) => sql.id(name))
    const rows = group.map(
      (one) => sql`(${sql.join(Object.values(one.values).map((value) => sql`${value}`))})`,
    )
    return sql`insert into ${sql.id(org.schemaName, table)} (${sql.join(columns)}) values ${sql.join(rows)}`
  })
}
