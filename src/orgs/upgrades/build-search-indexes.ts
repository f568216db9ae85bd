import { ddl } from '../../schema/change/ddl.sql.ts'
import { type SearchIndex, type Span, searchIndexSql } from '../../schema/change/search-index.sql.ts'
import { chainIndexes, listIndexedObjects, loadSearchIndexes } from '../../schema/change/search-indexes.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { loadSnapshot } from '../../schema/snapshot/load-snapshot.ts'
import { loadUsedObjects } from '../../schema/snapshot/used-objects.ts'
import type { Maintenance } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { BuildStep, Reached } from './upgrade-step.ts'

/** Searches read up to this share of an object's records without an index, because a build reads its whole table, twice. */
const UNINDEXED_SHARE = 1 / 64

/** But so many at least, which take some milliseconds. */
const MIN_UNINDEXED = 1000

/** And so many at most. */
const MAX_UNINDEXED = 100_000

/** Maximum number of records without an index whose words one build makes: half a minute of the database's work. */
const MAX_BUILT = 1_000_000

/** The same for an engine that carries out nothing else meanwhile: half a second. */
const MAX_BUILT_ALONE = 20_000

/**
 * An index is built again together with all later records once these are so many times as many: so an object has few indexes, and
 * the words of a record are made few times.
 */
const GROWTH = 2

/** An engine that carries out nothing else during a build leaves larger indexes alone, up to so many of them. */
const MAX_INDEXES_ALONE = 16

interface Tail {
  readonly records: number
  /** Seconds. */
  readonly newest: number
  readonly older: number
  /** All records of the object, as the database estimates. */
  readonly total: number
}

const drop = ({ db, isConcurrent }: Maintenance, org: Org, name: string) =>
  db.script([isConcurrent ? ddl.dropIndexConcurrently(org, name) : ddl.dropIndex(org, name)])

/**
 * The span of the next index: the records without one, and those of earlier indexes from the first one on that is small.
 * @param counts how many records each index of the chain has
 */
function chooseSpan(
  chain: readonly SearchIndex[],
  counts: readonly number[],
  tail: Tail,
  isConcurrent: boolean,
): Span {
  // More may be written in the newest second. A clock that stands still has no other.
  const until = Math.max(tail.older * 2 >= tail.records ? tail.newest : tail.newest + 1, 1)
  const most = isConcurrent || chain.length >= MAX_INDEXES_ALONE ? Number.POSITIVE_INFINITY : MAX_BUILT_ALONE
  let from = chain.at(-1)?.until ?? 0
  let later = tail.records
  for (const [at, index] of [...chain.entries()].reverse()) {
    const records = counts[at]!
    if (records * GROWTH <= later && records + later <= most) ({ from } = index)
    later += records
  }
  return { from, until }
}

/**
 * Builds the next index of an object that has too many records without one.
 * @returns true if all records have one then; undefined if none was to be built
 */
async function buildNext(
  { db, isConcurrent }: Maintenance,
  org: Org,
  object: ObjectType,
  indexes: readonly SearchIndex[],
): Promise<boolean | undefined> {
  // An index of all records, of an earlier version, makes writes slow: it is replaced.
  const chain = chainIndexes(
    object,
    indexes.filter(({ until }) => until !== Number.POSITIVE_INFINITY),
  )
  const max = isConcurrent ? MAX_BUILT : MAX_BUILT_ALONE
  const [tail] = await db.query<Tail>(searchIndexSql.tail(org, object, chain.at(-1)?.until ?? 0, max))
  const { records, total } = tail!
  const allowed = Math.min(Math.max(total * UNINDEXED_SHARE, MIN_UNINDEXED), MAX_UNINDEXED)
  if (records <= allowed) return undefined
  const rows = await db.query<{ span: number; records: number }>(searchIndexSql.counts(org, object, chain))
  const counts = chain.map((_, at) => rows.find(({ span }) => span === at)?.records ?? 0)
  const span = chooseSpan(chain, counts, tail!, isConcurrent)
  const { create, createConcurrently } = searchIndexSql.build(org, object, span)
  await db.script([isConcurrent ? createConcurrently : create])
  return records < max
}

/** The indexes that no search needs: of older texts, of builds that were interrupted, and of spans that a later one covers. */
function findStale(objects: readonly ObjectType[], indexes: readonly SearchIndex[]): SearchIndex | undefined {
  const spans = indexes.filter(({ until }) => until !== Number.POSITIVE_INFINITY)
  const needed = new Set(objects.flatMap((object) => chainIndexes(object, spans)))
  return indexes.find((index) => !needed.has(index))
}

/**
 * Builds one index or drops one. What is written during a build waits for the next request, so a step ends while records are written.
 * @param position name of the last object whose records all got an index
 */
async function run(maintenance: Maintenance, org: Org, position: string | null): Promise<Reached> {
  const { db } = maintenance
  const { storedObjects } = await loadSnapshot(db, org)
  const used = await loadUsedObjects(db, org, storedObjects)
  const objects = await listIndexedObjects(db, org, used)
  const indexes = await loadSearchIndexes(db, org)
  // A build that was interrupted has the name of the next one.
  const broken = indexes.find(({ isValid }) => !isValid)
  if (broken !== undefined) {
    await drop(maintenance, org, broken.name)
    return { isDone: false, position, progress: 0 }
  }
  const begin = objects.findIndex(({ name }) => name === position) + 1
  for (const [at, object] of objects.entries().drop(begin)) {
    const isWhole = await buildNext(maintenance, org, object, indexes)
    if (isWhole === undefined) continue
    return {
      isDone: false,
      position: isWhole ? object.name : position,
      progress: (at + 0.5) / objects.length,
    }
  }
  const stale = findStale(objects, indexes)
  if (stale === undefined) return { isDone: true, progress: 1 }
  await drop(maintenance, org, stale.name)
  return { isDone: false, position, progress: 1 }
}

/** Indexes the words of records that have been written since the last time, of objects whose searches need it. */
export const SEARCH_INDEXES: BuildStep = { kind: 'build', name: 'search indexes', isRoutine: true, run }
