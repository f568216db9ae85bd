import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { metadataSql } from '../snapshot/metadata.sql.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { ddl } from './ddl.sql.ts'
import { isSearchIndexName, isSearchIndexOf, searchIndexSql } from './search-index.sql.ts'

/** The existing search indexes by name, each with whether its build is complete. */
async function findExisting(db: Db, org: Org): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db.query<{ name: string; isValid: boolean }>(ddl.allIndexes(org))
  return new Map(
    rows.filter(({ name }) => isSearchIndexName(name)).map(({ name, isValid }) => [name, isValid]),
  )
}

/** Names of the objects whose search index was requested by a search. */
export async function loadRequestedIndexes(db: Db, org: Org): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ name: string }>(metadataSql.requestedIndexes(org))
  return new Set(rows.map(({ name }) => name))
}

/** Drops the search indexes of objects whose texts change or that no longer need one, before columns are altered. */
export async function dropSearchIndexes(
  db: Db,
  org: Org,
  schema: SchemaSnapshot,
  objects: readonly ObjectType[],
): Promise<void> {
  const wanted = searchIndexSql.wanted(org, schema.objects, await loadRequestedIndexes(db, org))
  const gone = [...(await findExisting(db, org))].filter(
    ([name, isValid]) =>
      (!wanted.has(name) || !isValid) && objects.some((object) => isSearchIndexOf(object, name)),
  )
  if (gone.length > 0) await db.script(gone.map(([name]) => ddl.dropIndex(org, name)))
}

/** Creates the missing search indexes of objects. */
export async function createSearchIndexes(db: Db, org: Org, objects: readonly ObjectType[]): Promise<void> {
  const known = await findExisting(db, org)
  const wanted = searchIndexSql.wanted(org, objects, await loadRequestedIndexes(db, org))
  const missing = [...wanted.values()].filter(({ name }) => !known.has(name))
  if (missing.length > 0) await db.script(missing.map(({ create }) => create))
}
