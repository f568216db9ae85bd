import { sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { lockParent } from '../tokens/authorization-codes.sql.ts'
import { endOfLine } from '../tokens/sessions.sql.ts'

export const browserSessionSql = {
  insert: (tokenHash: string, org: Org, userId: string, now: number) =>
    sql`insert into objectry.browser_session (token_hash, org_id, user_id, began_at, last_used_at)
        values (${tokenHash}, ${org.id}, ${userId}, ${fromSeconds(now)}, ${fromSeconds(now)})`,

  /** Inserts nothing when the access token is revoked meanwhile. */
  insertOfToken: (tokenHash: string, accessTokenHash: string, now: number) =>
    sql`insert into objectry.browser_session (token_hash, org_id, user_id, began_at, last_used_at, access_token_hash)
        select ${tokenHash}, org_id, user_id, ${fromSeconds(now)}, ${fromSeconds(now)}, token_hash
        from objectry.session where token_hash = ${accessTokenHash} for key share
        returning org_id as "orgId"`,

  find: (tokenHash: string, after: number) =>
    sql`select session.user_id as "userId", extract(epoch from session.last_used_at)::float8 as "lastUsedAt",
               token.token_hash as "accessTokenHash", token.scopes as "tokenScopes",
               case when token.token_hash is not null then ${endOfLine(sql`token.token_hash`)} end as "tokenEndsAt",
               org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"
        from objectry.browser_session session join objectry.org org on org.id = session.org_id
             left join objectry.session token on token.token_hash = session.access_token_hash
        where session.token_hash = ${tokenHash} and session.last_used_at > ${fromSeconds(after)}`,

  touch: (tokenHash: string, now: number) =>
    sql`update objectry.browser_session set last_used_at = ${fromSeconds(now)} where token_hash = ${tokenHash}`,

  /** The family of what a session gives; nothing when the session has ended meanwhile. */
  takeFamily: (tokenHash: string, family: string) =>
    sql`with parent as materialized (${lockParent(
      sql`(select access_token_hash from objectry.browser_session where token_hash = ${tokenHash})`,
    )})
        update objectry.browser_session set family = coalesce(family, ${family})
        where token_hash = ${tokenHash} and (access_token_hash is null or exists (select from parent))
        returning family`,

  findUser: (tokenHash: string) =>
    sql`select session.user_id as "userId", org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"
        from objectry.browser_session session join objectry.org org on org.id = session.org_id
        where session.token_hash = ${tokenHash}`,

  delete: (tokenHash: string) =>
    sql`delete from objectry.browser_session where token_hash = ${tokenHash} returning family`,

  deleteOld: (before: number) =>
    sql`delete from objectry.browser_session where last_used_at <= ${fromSeconds(before)}`,
}
