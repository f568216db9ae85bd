import { sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'

export const secretKeySql = {
  keep: (encrypted: string) =>
    sql`insert into objectry.secret_check (encrypted) values (${encrypted}) on conflict do nothing`,
  find: sql`select encrypted from objectry.secret_check`,
}

export const signingKeySql = {
  /** Oldest first: all processes sign with the oldest. */
  all: sql`select key_id as "keyId", private_key as "privateKey" from objectry.signing_key order by made_at, key_id`,

  insert: (keyId: string, privateKey: string, now: number) =>
    sql`insert into objectry.signing_key (key_id, private_key, made_at)
        values (${keyId}, ${privateKey}, ${fromSeconds(now)})`,
}
