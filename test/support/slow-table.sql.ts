import { sql } from '../../src/base/sql.ts'
import type { TestOrg } from './org.ts'

/** Has the database take so many seconds over each row of an object that is inserted with the name `slow`. */
export async function makeSlow(
  { org, db }: Pick<TestOrg, 'org' | 'db'>,
  table: string,
  seconds: number,
): Promise<void> {
  const name = (text: string) => sql.id(org.schemaName, text)
  await db.script([
    sql`create function ${name('take_long')}() returns trigger language plpgsql as $$ begin
          while clock_timestamp() < now() + interval '${sql.raw(String(seconds))} seconds' loop end loop;
          return new;
        end $$`,
    sql`create trigger take_long before insert on ${name(table)}
        for each row when (new.name = 'slow') execute function ${name('take_long')}()`,
  ])
}

/** Has the database take so many seconds over each statement that inserts into an object, however many rows it has. */
export async function makeInsertsSlow(
  { org, db }: Pick<TestOrg, 'org' | 'db'>,
  table: string,
  seconds: number,
): Promise<void> {
  const name = (text: string) => sql.id(org.schemaName, text)
  await db.script([
    sql`create function ${name('rest')}() returns trigger language plpgsql as $$ begin
          perform pg_sleep(${sql.raw(String(seconds))});
          return null;
        end $$`,
    sql`create trigger rest before insert on ${name(table)} for each statement execute function ${name('rest')}()`,
  ])
}

/** The number of statements outside transactions that have written the rows of an object. */
export async function countWrites({ org, db }: Pick<TestOrg, 'org' | 'db'>, table: string): Promise<number> {
  const [row] = await db.query<{ number: number }>(
    sql`select count(distinct xmin::text)::integer as number from ${sql.id(org.schemaName, table)}`,
  )
  return row!.number
}
