import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { snapshotSql } from '../stored-values/snapshot.sql.ts'

/** The last number of an autonumber sequence; 0 when it is unused. */
export interface Counter {
  readonly name: string
  readonly last: number
}

export const loadCounters = (db: Db, org: Org): Promise<Counter[]> =>
  db.query<Counter>(snapshotSql.counters(org))

export async function setCounters(db: Db, org: Org, counters: readonly Counter[]): Promise<void> {
  const current = new Map((await loadCounters(db, org)).map(({ name, last }) => [name, last]))
  for (const { name, last } of counters) {
    if (current.get(name) !== last) await db.query(snapshotSql.setCounter(org, name, last))
  }
}
