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
