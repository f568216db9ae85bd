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

/** Sets all counters of an org. One that is not given was not there, because nobody had used its object: it begins again. */
export async function setCounters(db: Db, org: Org, counters: readonly Counter[]): Promise<void> {
  const wanted = new Map(counters.map(({ name, last }) => [name, last]))
  for (const { name, last } of await loadCounters(db, org)) {
    const given = wanted.get(name) ?? 0
    if (given !== last) await db.query(snapshotSql.setCounter(org, name, given))
  }
}
