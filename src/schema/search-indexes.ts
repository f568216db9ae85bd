import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { searchIndexSql } from './search-index.sql.ts'
import type { SchemaSnapshot } from './snapshot.ts'

/** Makes the search indexes that are missing and drops those whose objects have other texts by now. */
export async function syncSearchIndexes(db: Db, org: Org, schema: SchemaSnapshot): Promise<void> {
  const wanted = searchIndexSql.wanted(org, schema.objects)
  const rows = await db.query<{ name: string }>(searchIndexSql.existing(org))
  const existing = new Set(rows.map(({ name }) => name))
  const statements = [
    ...[...existing].filter((name) => !wanted.has(name)).map((name) => searchIndexSql.drop(org, name)),
    ...[...wanted].filter(([name]) => !existing.has(name)).map(([, statement]) => statement),
  ]
  if (statements.length > 0) await db.script(statements)
}
