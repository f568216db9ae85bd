import { ddl } from '../../schema/change/ddl.sql.ts'
import { loadSnapshot } from '../../schema/snapshot/load-snapshot.ts'
import { loadUsedObjects } from '../../schema/snapshot/used-objects.ts'
import type { Maintenance } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { BuildStep, Reached } from './upgrade-step.ts'

/** Builds one missing index. Drops the invalid index of an interrupted build first. */
async function run({ db, isConcurrent }: Maintenance, org: Org): Promise<Reached> {
  const { storedObjects } = await loadSnapshot(db, org)
  const objects = await loadUsedObjects(db, org, storedObjects)
  const indexes = objects
    .flatMap((object) => ddl.indexes(org, object))
    .filter(({ createConcurrently }) => createConcurrently !== undefined)
  const rows = await db.query<{ name: string; isValid: boolean }>(ddl.allIndexes(org))
  const there = new Map(rows.map(({ name, isValid }) => [name, isValid]))
  const missing = indexes.filter(({ name }) => there.get(name) !== true)
  const [next] = missing
  if (next === undefined) return { isDone: true, progress: 1 }
  const { name, create, createConcurrently = create } = next
  if (there.has(name))
    await db.script([isConcurrent ? ddl.dropIndexConcurrently(org, name) : ddl.dropIndex(org, name)])
  await db.script([isConcurrent ? createConcurrently : create])
  return { isDone: false, progress: (indexes.length - missing.length + 1) / indexes.length }
}

/** Indexes for performance only. Unique indexes are created before the server starts. */
export const FIELD_INDEXES: BuildStep = { kind: 'build', name: 'field indexes', run }
