import { type Sql, sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export interface NewSession {
  readonly tokenHash: string
  readonly clientId: string
  readonly orgId: string
  readonly userId: string
  readonly scopes: readonly string[]
  /** The grant by which it was issued. */
  readonly grantType: string
  /** Links all tokens of one approval. */
  readonly family: string | null
  /** Of the access token under which it is issued; it ends with that one. */
  readonly parentTokenHash: string | null
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly idleSeconds: number
}

/** When an access token expires that another one depends on. */
export interface LineEnd {
  /** By whose clock. */
  readonly orgId: string
  /** Seconds since 1970. */
  readonly endsAt: number
}

/**
 * How many access tokens may stand in a line of which each gave the next one or opened its browser session: the database
 * deletes them one within the other. (docs/reference/api/tokens.md#single-access)
 */
const MAX_LENGTH = 10

/** A value of `line`: an access token and all those above it, of which each gave the next one or opened its browser session. */
const ofLine = (tokenHash: Sql, value: Sql) =>
  sql`(with recursive line as (
         select first.token_hash, first.parent_token_hash, first.org_id, first.last_used_at, first.idle_seconds
         from objectry.session first where first.token_hash = ${tokenHash}
         union all
         select above.token_hash, above.parent_token_hash, above.org_id, above.last_used_at, above.idle_seconds
         from line join objectry.session above on above.token_hash = line.parent_token_hash)
       select ${value} from line)`

/** When an access token expires, or one above it, all of one org: seconds since 1970. */
export const endOfLine = (tokenHash: Sql) =>
  ofLine(tokenHash, sql`extract(epoch from min(last_used_at + idle_seconds * interval '1 second'))::float8`)

/** When an access token and each of those above it expire. */
const endsOfLine = (tokenHash: Sql) =>
  ofLine(
    tokenHash,
    sql`jsonb_agg(jsonb_build_object('orgId', org_id, 'endsAt',
          extract(epoch from last_used_at + idle_seconds * interval '1 second')::float8))`,
  )

/** True for an access token that may have others under it: not too many stand above it. */
export const mayHaveChildren = (tokenHash: Sql) => sql`${ofLine(tokenHash, sql`count(*)`)} <= ${MAX_LENGTH}`

export const sessionSql = {
  insert: (session: NewSession) =>
    sql`insert into objectry.session
          (token_hash, client_id, org_id, user_id, scopes, grant_type, family, parent_token_hash, issued_at, last_used_at,
           idle_seconds)
        values (${session.tokenHash}, ${session.clientId}, ${session.orgId}, ${session.userId},
                ${session.scopes}::text[], ${session.grantType}, ${session.family}, ${session.parentTokenHash},
                ${fromSeconds(session.issuedAt)}, ${fromSeconds(session.issuedAt)}, ${session.idleSeconds})
        on conflict (token_hash) do nothing`,

  find: (tokenHash: string) =>
    sql`select session.client_id as "clientId", session.user_id as "userId", session.scopes,
               session.grant_type as "grantType", session.idle_seconds as "idleSeconds",
               extract(epoch from session.issued_at)::float8 as "issuedAt",
               extract(epoch from session.last_used_at)::float8 as "lastUsedAt",
               case when session.parent_token_hash is not null
                 then ${endsOfLine(sql`session.parent_token_hash`)} end as "ends",
               org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"
        from objectry.session session join objectry.org org on org.id = session.org_id
        where session.token_hash = ${tokenHash}`,

  /** Locks the access token above, as who revokes it does first. */
  lockParent: (tokenHash: string) =>
    sql`select ${mayHaveChildren(sql`session.token_hash`)} as "mayHaveChildren"
        from objectry.session where token_hash = ${tokenHash} for key share`,

  /** True for a token that another one gave, or opened a browser session for. */
  hasParent: (tokenHash: string) =>
    sql`select parent_token_hash is not null as "hasParent" from objectry.session where token_hash = ${tokenHash}`,

  /** Never moves the time back: another process may have stored a later one. */
  touch: (tokenHash: string, usedAt: number) =>
    sql`update objectry.session set last_used_at = greatest(last_used_at, ${fromSeconds(usedAt)})
        where token_hash = ${tokenHash} returning true as touched`,

  /**
   * The oldest transaction that has not ended, and the revocations of all since one that was the oldest before.
   * @param oldest null: no revocations
   */
  revokedSince: (oldest: string | null) =>
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as oldest,
               array(select token_hash from objectry.revocation where transaction >= ${oldest}::text::xid8) as hashes`,

  deleteOldRevocations: sql`delete from objectry.revocation where revoked_at < clock_timestamp() - interval '1 day'`,

  deleteExpired: (org: Org, now: number) =>
    sql`delete from objectry.session
        where org_id = ${org.id} and last_used_at < ${fromSeconds(now)} - idle_seconds * interval '1 second'`,
}
