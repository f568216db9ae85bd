import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type ObjectType, unrestricted } from '../objects/object-type.ts'
import { metadataSql } from '../snapshot/metadata.sql.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { ddl } from './ddl.sql.ts'
import {
  canBeIndexed,
  hasWordsOf,
  type IndexRow,
  isIndexedByDefinition,
  readSearchIndex,
  type SearchIndex,
  type Span,
  searchIndexSql,
} from './search-index.sql.ts'

const readAll = (rows: readonly IndexRow[]) => rows.flatMap((row) => readSearchIndex(row) ?? [])

/** All search indexes of an org, those of other versions and of interrupted builds too. */
export const loadSearchIndexes = async (db: Db, org: Org): Promise<SearchIndex[]> =>
  readAll(await db.query<IndexRow>(searchIndexSql.all(org)))

/**
 * The indexes of an object that follow each other in time without a gap, beginning with the oldest records.
 * @param indexes of any objects
 */
export function chainIndexes(object: ObjectType, indexes: readonly SearchIndex[]): SearchIndex[] {
  const usable = indexes.filter((index) => index.isValid && hasWordsOf(object, index))
  const chain: SearchIndex[] = []
  for (;;) {
    const from = chain.at(-1)?.until ?? 0
    const next = usable.filter((index) => index.from === from).sort((a, b) => b.until - a.until)[0]
    if (next === undefined) return chain
    chain.push(next)
  }
}

/** The spans that have an index, in order, by object. Records that were written later are read to be searched. */
export async function loadSearchSpans(
  db: Db,
  org: Org,
  objects: readonly ObjectType[],
): Promise<(object: ObjectType) => readonly Span[]> {
  const indexed = objects.map(unrestricted).filter(canBeIndexed)
  const indexes =
    indexed.length === 0 ? [] : readAll(await db.query<IndexRow>(searchIndexSql.ofObjects(org, indexed)))
  return (object) => chainIndexes(unrestricted(object), indexes)
}

/** The objects that get search indexes once they have enough records: their definition says so, or a search asked for it. */
export async function listIndexedObjects(
  db: Db,
  org: Org,
  objects: readonly ObjectType[],
): Promise<ObjectType[]> {
  const rows = await db.query<{ name: string }>(metadataSql.requestedIndexes(org))
  const requested = new Set(rows.map(({ name }) => name))
  return objects.filter(
    (object) => canBeIndexed(object) && (isIndexedByDefinition(object) || requested.has(object.name)),
  )
}

/**
 * Drops the search indexes of objects whose texts change or that no longer need one, before columns are altered.
 * @returns true if there are others to build
 */
export async function dropSearchIndexes(
  db: Db,
  org: Org,
  before: SchemaSnapshot,
  objects: readonly ObjectType[],
): Promise<boolean> {
  const indexes = await loadSearchIndexes(db, org)
  const indexed = await listIndexedObjects(db, org, objects)
  const isKept = (index: SearchIndex) => index.isValid && indexed.some((object) => hasWordsOf(object, index))
  const tables = new Set(objects.map(({ table }) => table))
  const gone = indexes.filter((index) => tables.has(index.table) && !isKept(index))
  if (gone.length > 0) await db.script(gone.map(({ name }) => ddl.dropIndex(org, name)))
  const isNew = (object: ObjectType) =>
    isIndexedByDefinition(object) && !isIndexedByDefinition(before.object(object.name) ?? object)
  return indexed.some((object) => isNew(object) || gone.some(({ table }) => table === object.table))
}
