import type { Sql } from '../../base/sql.ts'
import { ddl } from '../../schema/change/ddl.sql.ts'
import { isSearchIndexName, searchIndexSql } from '../../schema/change/search-index.sql.ts'
import { loadRequestedIndexes } from '../../schema/change/search-indexes.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { loadSnapshot } from '../../schema/snapshot/load-snapshot.ts'
import { loadUsedObjects } from '../../schema/snapshot/used-objects.ts'
import type { Maintenance } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { BuildStep, Reached } from './upgrade-step.ts'

interface Index {
  readonly name: string
  readonly create: Sql
  readonly createConcurrently: Sql
}

interface Rules {
  /**
   * The indexes that an org should have.
   * @param objects whose tables are made
   * @param requested names of objects whose search index was requested
   */
  wanted(org: Org, objects: readonly ObjectType[], requested: ReadonlySet<string>): readonly Index[]
  /** True if an unwanted index was made for the same purpose. It is dropped when all wanted indexes exist. */
  isStale(name: string): boolean
}

const drop = ({ db, isConcurrent }: Maintenance, org: Org, name: string) =>
  db.script([isConcurrent ? ddl.dropIndexConcurrently(org, name) : ddl.dropIndex(org, name)])

/** Builds one missing index or drops a stale one. Drops the invalid index of an interrupted build first. */
async function buildNext(maintenance: Maintenance, org: Org, { wanted, isStale }: Rules): Promise<Reached> {
  const { db, isConcurrent } = maintenance
  const { storedObjects } = await loadSnapshot(db, org)
  const objects = await loadUsedObjects(db, org, storedObjects)
  const indexes = wanted(org, objects, await loadRequestedIndexes(db, org))
  const rows = await db.query<{ name: string; isValid: boolean }>(ddl.allIndexes(org))
  const there = new Map(rows.map(({ name, isValid }) => [name, isValid]))
  const missing = indexes.filter(({ name }) => there.get(name) !== true)
  const [next] = missing
  if (next !== undefined) {
    if (there.has(next.name)) await drop(maintenance, org, next.name)
    await db.script([isConcurrent ? next.createConcurrently : next.create])
    return { isDone: false, progress: (indexes.length - missing.length + 1) / indexes.length }
  }
  const names = new Set(indexes.map(({ name }) => name))
  const stale = [...there.keys()].find((name) => !names.has(name) && isStale(name))
  if (stale === undefined) return { isDone: true, progress: 1 }
  await drop(maintenance, org, stale)
  return { isDone: false, progress: 1 }
}

/** Indexes for performance only. Unique indexes are created before the server starts. */
export const FIELD_INDEXES: BuildStep = {
  kind: 'build',
  name: 'field indexes',
  run: (maintenance, org) =>
    buildNext(maintenance, org, {
      wanted: (of, objects) =>
        objects
          .flatMap((object) => ddl.indexes(of, object))
          .flatMap(({ name, create, createConcurrently }) =>
            createConcurrently === undefined ? [] : [{ name, create, createConcurrently }],
          ),
      isStale: () => false,
    }),
}

/** The search indexes of definitions and those that searches have requested. Until its index exists, a search scans the table. */
export const SEARCH_INDEXES: BuildStep = {
  kind: 'build',
  name: 'search indexes',
  run: (maintenance, org) =>
    buildNext(maintenance, org, {
      wanted: (of, objects, requested) => [...searchIndexSql.wanted(of, objects, requested).values()],
      isStale: isSearchIndexName,
    }),
}
