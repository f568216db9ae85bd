import { sql } from '../../base/sql.ts'

export const secretKeySql = {
  keep: (encrypted: string) =>
    sql`insert into objectry.secret_check (encrypted) values (${encrypted}) on conflict do nothing`,
  find: sql`select encrypted from objectry.secret_check`,
}
