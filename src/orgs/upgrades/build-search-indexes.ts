import { ddl } from '../../schema/change/ddl.sql.ts'
import { type SearchIndex, type Span, searchIndexSql } from '../../schema/change/search-index.sql.ts'
import { chainIndexes, listIndexedObjects, loadSearchIndexes } from '../../schema/change/search-indexes.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { loadSnapshot } from '../../schema/snapshot/load-snapshot.ts'
import { loadUsedObjects } from '../../schema/snapshot/used-objects.ts'
import type { Maintenance } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { BuildStep, Reached } from './upgrade-step.ts'

/** Searches read up to so many records without an index: they take some milliseconds. */
const MAX_UNINDEXED = 1000

/** Maximum number of records without an index whose words one build makes: half a minute of the database's work. */
const MAX_BUILT = 1_000_000

/** The same for an engine that carries out nothing else meanwhile: half a second. */
const MAX_BUILT_ALONE = 20_000

/**
 * An index is built again together with newer records if it has fewer than this many times as many: so an object has few
 * indexes, and the words of a record are made few times.
 */
const GROWTH = 4

/** An engine that carries out nothing else during a build leaves larger indexes alone, up to so many of them. */
const MAX_INDEXES_ALONE = 16

interface Tail {
  readonly records: number
  /** Seconds. */
  readonly newest: number
  readonly older: number
}

const drop = ({ db, isConcurrent }: Maintenance, org: Org, name: string) =>
  db.script([isConcurrent ? ddl.dropIndexConcurrently(org, name) : ddl.dropIndex(org, name)])

/** The span of the next index: the records without one, and those of the last indexes that are not much larger. */
function chooseSpan(chain: readonly SearchIndex[], tail: Tail, isConcurrent: boolean): Span {
  // More may be written in the newest second. A clock that stands still has no other.
  const until = Math.max(tail.older * 2 >= tail.records ? tail.newest : tail.newest + 1, 1)
  const most = isConcurrent || chain.length >= MAX_INDEXES_ALONE ? Number.POSITIVE_INFINITY : MAX_BUILT_ALONE
  let from = chain.at(-1)?.until ?? 0
  let { records } = tail
  for (const index of chain.toReversed()) {
    if (index.records >= records * GROWTH || records + index.records > most) break
    records += index.records
    ;({ from } = index)
  }
  return { from, until }
}

/** Builds the next index of an object that has too many records without one. */
async function buildNext(
  { db, isConcurrent }: Maintenance,
  org: Org,
  object: ObjectType,
  indexes: readonly SearchIndex[],
): Promise<boolean> {
  // An index of all records, of an earlier version, makes writes slow: it is replaced.
  const chain = chainIndexes(
    object,
    indexes.filter(({ until }) => until !== Number.POSITIVE_INFINITY),
  )
  const max = isConcurrent ? MAX_BUILT : MAX_BUILT_ALONE
  const [tail] = await db.query<Tail>(searchIndexSql.tail(org, object, chain.at(-1)?.until ?? 0, max))
  if (tail!.records <= MAX_UNINDEXED) return false
  const { create, createConcurrently } = searchIndexSql.build(
    org,
    object,
    chooseSpan(chain, tail!, isConcurrent),
  )
  await db.script([isConcurrent ? createConcurrently : create])
  return true
}

/** The indexes that no search needs: of older texts, of builds that were interrupted, and of spans that a later one covers. */
function findStale(objects: readonly ObjectType[], indexes: readonly SearchIndex[]): SearchIndex | undefined {
  const spans = indexes.filter(({ until }) => until !== Number.POSITIVE_INFINITY)
  const needed = new Set(objects.flatMap((object) => chainIndexes(object, spans)))
  return indexes.find((index) => !needed.has(index))
}

/** Builds one index or drops one. */
async function run(maintenance: Maintenance, org: Org): Promise<Reached> {
  const { db } = maintenance
  const { storedObjects } = await loadSnapshot(db, org)
  const used = await loadUsedObjects(db, org, storedObjects)
  const objects = await listIndexedObjects(db, org, used)
  const indexes = await loadSearchIndexes(db, org)
  // A build that was interrupted has the name of the next one.
  const broken = indexes.find(({ isValid }) => !isValid)
  if (broken !== undefined) {
    await drop(maintenance, org, broken.name)
    return { isDone: false, progress: 0 }
  }
  for (const [done, object] of objects.entries()) {
    if (await buildNext(maintenance, org, object, indexes))
      return { isDone: false, progress: (done + 0.5) / objects.length }
  }
  const stale = findStale(objects, indexes)
  if (stale === undefined) return { isDone: true, progress: 1 }
  await drop(maintenance, org, stale.name)
  return { isDone: false, progress: 1 }
}

/** Indexes the words of records that have been written since the last time, of objects whose searches need it. */
export const SEARCH_INDEXES: BuildStep = { kind: 'build', name: 'search indexes', isRoutine: true, run }
