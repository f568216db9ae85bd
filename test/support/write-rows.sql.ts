import type { FiscalYear } from '../../src/base/fiscal-year.ts'
import { sql } from '../../src/base/sql.ts'
import type { ObjectType } from '../../src/schema/objects/object-type.ts'
import type { TestOrg } from './org.ts'

/** A record as it is stored, by the names of its fields. */
type StoredRow = Readonly<Record<string, string | number | boolean | null>>

/** Many records in one statement, as if another process had written them. Every row has the fields of the first. */
export async function writeRows(o: TestOrg, object: ObjectType, rows: readonly StoredRow[]): Promise<void> {
  const fields = Object.keys(rows[0]!)
    .map((name) => object.field(name)!)
    // The database joins a person's name by itself.
    .filter((field) => field.column !== undefined && field.type.name !== 'personname')
  const columns = sql.join(fields.map((field) => sql.id(field.column!)))
  const table = sql.id(o.org.schemaName, object.table)
  const stored = rows.map((row) =>
    Object.fromEntries(fields.map((field) => [field.column!, row[field.name]])),
  )
  await o.db.query(
    sql`insert into ${table} (${columns})
        select ${columns} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(stored)}::text::jsonb)`,
  )
}

/** Where the org's user lives, and what fiscal years the org has. */
export async function setCalendar(
  o: TestOrg,
  timeZone: string,
  fiscalYear: FiscalYear,
  locale = 'en_US',
): Promise<void> {
  const table = (name: string) => sql.id(o.org.schemaName, name)
  await o.db.query(
    sql`update ${table('user')} set timezonesidkey = ${timeZone}, localesidkey = ${locale} where id = ${o.userId}`,
  )
  await o.db.query(
    sql`update ${table('organization')} set fiscalyearstartmonth = ${fiscalYear.startMonth}::integer,
          usesstartdateasfiscalyearname = ${fiscalYear.isNamedByStart}`,
  )
}
