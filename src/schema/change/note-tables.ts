import { absentTablesSql, inAnySchema } from '../../storage/database/absent-tables.sql.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { requireObject, type SchemaSnapshot } from '../snapshot/snapshot.ts'
import { inPhases, type Step } from './step.ts'

/**
 * Notes how the tables of new objects are made, for the first statement that names them. (docs/adr/0048-tables-on-first-use.md)
 * @param steps that add the objects
 */
export async function noteTables(
  db: Db,
  org: Org,
  steps: readonly Step[],
  after: SchemaSnapshot,
): Promise<void> {
  const tables = steps
    .filter(({ statements }) => statements.length > 0)
    .map(({ object: name, statements }) => {
      const object = requireObject(after, name)
      const all = inPhases(statements).map((one) => one.sql)
      return inAnySchema(org.schemaName, object.table, all)
    })
  if (tables.length > 0) await db.query(absentTablesSql.note(org.schemaName, tables))
}
