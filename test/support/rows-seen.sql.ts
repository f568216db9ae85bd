import { rowRule, type Spread, type Viewer } from '../../src/access/row-rules.sql.ts'
import type { RowLevel } from '../../src/access/sharing.ts'
import { sql } from '../../src/base/sql.ts'
import { requireObject } from '../../src/schema/snapshot/snapshot.ts'
import type { TestOrg } from './org.ts'

/** Ids of the records that meet a rule, in order: the rule by itself, as a statement that looks for records has it. */
export async function rowsSeen(
  o: TestOrg,
  userId: string,
  name: string,
  level: RowLevel,
  spread: Spread,
): Promise<string[]> {
  const { snapshots, callers } = o.services.runtimes.of(o.org)
  const schema = await snapshots.current()
  const { access } = (await callers.of(userId))!
  const viewer: Viewer = { org: o.org, schema, access }
  const object = requireObject(schema, name)
  const rule = rowRule(viewer, object, 't', level, spread) ?? sql`true`
  const rows = await o.db.query<{ id: string }>(
    sql`select t.id from ${sql.id(o.org.schemaName, object.table)} t where ${rule} order by t.id`,
  )
  return rows.map(({ id }) => id)
}
