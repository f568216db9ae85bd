import { type Sql, sql } from '../../src/base/sql.ts'
import type { TestOrg } from './org.ts'

type Where = Pick<TestOrg, 'org' | 'db'>

/** Has the database carry out a body before it inserts into an object. */
async function runBeforeInserts(
  { org, db }: Where,
  table: string,
  name: string,
  { when, body }: { readonly when: Sql; readonly body: Sql },
): Promise<void> {
  const at = (text: string) => sql.id(org.schemaName, text)
  await db.script([
    sql`create function ${at(name)}() returns trigger language plpgsql as $$ begin ${body} return new; end $$`,
    sql`create trigger ${sql.id(name)} before insert on ${at(table)} ${when} execute function ${at(name)}()`,
  ])
}

/** Has the database take so many seconds over each row of an object that is inserted with the name `slow`. */
export const makeSlow = (where: Where, table: string, seconds: number): Promise<void> =>
  runBeforeInserts(where, table, 'take_long', {
    when: sql`for each row when (new.name = 'slow')`,
    body: sql`while clock_timestamp() < now() + interval '${sql.raw(String(seconds))} seconds' loop end loop;`,
  })

/** Has the database take so many seconds over each statement that inserts into an object, however many rows it has. */
export const makeInsertsSlow = (where: Where, table: string, seconds: number): Promise<void> =>
  runBeforeInserts(where, table, 'rest', {
    when: sql`for each statement`,
    body: sql`perform pg_sleep(${sql.raw(String(seconds))});`,
  })

/** The number of statements outside transactions that have written the rows of an object. */
export async function countWrites({ org, db }: Where, table: string): Promise<number> {
  const [row] = await db.query<{ number: number }>(
    sql`select count(distinct xmin::text)::integer as number from ${sql.id(org.schemaName, table)}`,
  )
  return row!.number
}
