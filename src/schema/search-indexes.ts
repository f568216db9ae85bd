import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { searchIndexSql } from './search-index.sql.ts'
import type { SchemaSnapshot } from './snapshot.ts'

async function existing(db: Db, org: Org): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ name: string }>(searchIndexSql.existing(org))
  return new Set(rows.map(({ name }) => name))
}

/** Drops the search indexes of objects that have other texts by now: before their columns change. */
export async function dropSearchIndexes(db: Db, org: Org, schema: SchemaSnapshot): Promise<void> {
  const wanted = searchIndexSql.wanted(org, schema.objects)
  const gone = [...(await existing(db, org))].filter((name) => !wanted.has(name))
  if (gone.length > 0) await db.script(gone.map((name) => searchIndexSql.drop(org, name)))
}

/** Makes the search indexes that are missing. */
export async function createSearchIndexes(db: Db, org: Org, schema: SchemaSnapshot): Promise<void> {
  const known = await existing(db, org)
  const missing = [...searchIndexSql.wanted(org, schema.objects)].filter(([name]) => !known.has(name))
  if (missing.length > 0) await db.script(missing.map(([, statement]) => statement))
}

/** Makes the search indexes that are missing and drops those whose objects have other texts by now. */
export async function syncSearchIndexes(db: Db, org: Org, schema: SchemaSnapshot): Promise<void> {
  await dropSearchIndexes(db, org, schema)
  await createSearchIndexes(db, org, schema)
}
