import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** Whose tokens and codes: a condition on any of their tables that has the columns. */
export const ofUsers = (org: Org, ids: readonly string[]) =>
  sql`org_id = ${org.id} and user_id = any(${ids}::text[])`
export const ofClient = (org: Org, clientId: string) => sql`org_id = ${org.id} and client_id = ${clientId}`
/** @param clientIds of the apps whose tokens stay */
export const ofOtherClients = (org: Org, clientIds: readonly string[]) =>
  sql`org_id = ${org.id} and client_id <> all(${clientIds}::text[])`
export const ofOrg = (org: Org) => sql`org_id = ${org.id}`
export const ofToken = (hash: string) => sql`token_hash = ${hash}`
export const ofFamily = (family: string) => sql`family = ${family}`

/** @param kept hashes of those that stay */
const except = (kept: readonly string[]) => sql`token_hash <> all(${kept}::text[])`

export const revokeSql = {
  /** Every process reads the revocations written here, and drops cached tokens. */
  sessions: (whose: Sql, kept: readonly string[] = []) =>
    sql`with gone as (delete from objectry.session where ${whose} and ${except(kept)} returning token_hash)
        insert into objectry.revocation (token_hash) select token_hash from gone returning token_hash as "tokenHash"`,

  refreshTokens: (whose: Sql, kept: readonly string[] = []) =>
    sql`delete from objectry.refresh_token where ${whose} and ${except(kept)}`,

  browserSessions: (whose: Sql, kept: readonly string[] = []) =>
    sql`delete from objectry.browser_session where ${whose} and ${except(kept)}`,

  /** Codes that are not exchanged; a used one stays, so that its second use is noticed. */
  authorizationCodes: (whose: Sql) =>
    sql`delete from objectry.authorization_code where ${whose} and used_at is null`,

  deviceCodes: (whose: Sql) => sql`delete from objectry.device_code where ${whose}`,

  /** Users who have tokens, codes or browser sessions in the org, and are inactive or do not exist there. */
  usersLeft: (org: Org) => {
    const tables = ['session', 'refresh_token', 'authorization_code', 'device_code', 'browser_session']
    const holders = tables.map(
      (name) => sql`select user_id as id from ${sql.id('objectry', name)} where org_id = ${org.id}`,
    )
    return sql`select holder.id, person.id is not null as "isInactive"
               from (${sql.join(holders, ' union ')}) holder
                    left join ${sql.id(org.schemaName, 'user')} person on person.id = holder.id
               where holder.id is not null and person.isactive is not true`
  },
}
