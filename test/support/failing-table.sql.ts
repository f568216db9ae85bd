import { sql } from '../../src/base/sql.ts'
import type { TestOrg } from './org.ts'

/** PostgreSQL's codes for a transaction that has to be tried again, and for one that is simply wrong. */
export const SERIALIZATION_FAILURE = '40001'
export const OTHER_FAILURE = 'XX000'
/** A full disk: the statement is all right, and may succeed in a moment. */
export const NOT_NOW = '53100'

interface Failing {
  readonly code: typeof SERIALIZATION_FAILURE | typeof OTHER_FAILURE | typeof NOT_NOW
  /** When it fails: where the row is written, or only when the transaction is to be committed. */
  readonly at: 'write' | 'commit'
  /** How many writes fail; those after them succeed. */
  readonly times: number
  /** Characters of its message. */
  readonly length?: number
}

/** Lets writes of an object named `fail` fail in the database. */
export async function letFail(
  { org, db }: TestOrg,
  table: string,
  { code, at, times, length = 10 }: Failing,
): Promise<void> {
  const name = (text: string) => sql.id(org.schemaName, text)
  const trigger = at === 'write' ? sql`trigger` : sql`constraint trigger`
  const when = at === 'write' ? sql.raw('') : sql`deferrable initially deferred`
  // A sequence counts on through rollbacks.
  await db.script([
    sql`create sequence if not exists ${name('failures')}`,
    sql`alter sequence ${name('failures')} restart`,
    sql`create or replace function ${name('fail')}() returns trigger language plpgsql as $$ begin
          if nextval('${name('failures')}') <= ${sql.raw(String(times))} then
            raise exception '%', rpad('on purpose', ${sql.raw(String(length))}, '.') using errcode = ${sql.raw(`'${code}'`)};
          end if;
          return new;
        end $$`,
    sql`drop trigger if exists fail on ${name(table)}`,
    sql`create ${trigger} fail after insert on ${name(table)} ${when}
        for each row when (new.name = 'fail') execute function ${name('fail')}()`,
  ])
}

/** How many writes came so far. */
export async function attempts({ org, db }: TestOrg): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select last_value::int as count from ${sql.id(org.schemaName, 'failures')}`,
  )
  return row!.count
}
