import { sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** Of advisory locks: one number for each kind. */
const LOCK = 720260105

export const accessLockSql = {
  /** Waits for nobody: a connection that waits is missing to others. */
  tryShared: (names: readonly string[]) =>
    sql`select bool_and(pg_try_advisory_xact_lock_shared(hashtextextended(name, ${LOCK}::bigint))) as "isLocked"
        from unnest(${names}::text[]) name`,

  /** Sets how long the transaction waits for a lock. @param limit as PostgreSQL writes it */
  limitWaits: (limit: string) =>
    sql`with before as materialized (select current_setting('lock_timeout') as "limit")
        select "limit", set_config('lock_timeout', ${limit}, true) from before`,

  /** In one order for all. */
  lock: (names: readonly string[]) =>
    sql`select pg_advisory_xact_lock(key)
        from (select distinct hashtextextended(name, ${LOCK}::bigint) as key
              from unnest(${names}::text[]) name order by key) keys`,

  /**
   * True or false: a user may log in, an app is blocked (null: there is none), a browser session has not ended.
   * @param clientId null: no app is concerned
   */
  state: (org: Org, userId: string, clientId: string | null, browserSessionHash: string | null) =>
    sql`select (select isactive and usertype is distinct from 'Guest' from ${sql.id(org.schemaName, 'user')}
                where id = ${userId} and not isdeleted) as "isUserActive",
               (select isblocked from ${sql.id(org.schemaName, 'connectedapplication')}
                where consumerkey collate "C" = ${clientId}::text and not isdeleted) as "isAppBlocked",
               -- A cluster sends the rows to the node of the org, and they need a column.
               exists (select 1 from objectry.browser_session
                       where token_hash = ${browserSessionHash}::text) as "isBrowserSession"`,
}
