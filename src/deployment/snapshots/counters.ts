import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { snapshotSql } from '../stored-values/snapshot.sql.ts'

/** Where the counters of an org's autonumbers stand; 0: nothing was counted yet. */
export interface Counter {
  readonly name: string
  readonly last: number
}

export const loadCounters = (db: Db, org: Org): Promise<Counter[]> =>
  db.query<Counter>(snapshotSql.counters(org))

export async function setCounters(db: Db, org: Org, counters: readonly Counter[]): Promise<void> {
  const memberships = new Map((await loadCounters(db, org)).map(({ name, last }) => [name, last]))
  for (const { name, last } of counters) {
    if (memberships.get(name) !== last) await db.query(snapshotSql.setCounter(org, name, last))
  }
}
