import { sql } from '../../base/sql.ts'
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
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly idleSeconds: number
}

const timestamp = (seconds: number) => sql`to_timestamp(${seconds}::float8)`

/** Deletes sessions and records their revocation for all processes, in one statement. */
const revoke = (condition: ReturnType<typeof sql>) =>
  sql`with gone as (delete from objectry.session where ${condition} returning token_hash)
      insert into objectry.revocation (token_hash) select token_hash from gone returning token_hash as "tokenHash"`

/** The families of tokens that consoles got in browser sessions which were opened by access tokens. */
const opened = (condition: ReturnType<typeof sql>) =>
  sql`select opened.family from objectry.browser_session opened
      where opened.family is not null and opened.access_token_hash in (
        select token_hash from objectry.session where ${condition})`

const ofClient = (org: Org, clientId: string) => sql`org_id = ${org.id} and client_id = ${clientId}`

export const sessionSql = {
  insert: (session: NewSession) =>
    sql`insert into objectry.session
          (token_hash, client_id, org_id, user_id, scopes, grant_type, family, issued_at, last_used_at, idle_seconds)
        values (${session.tokenHash}, ${session.clientId}, ${session.orgId}, ${session.userId},
                ${session.scopes}::text[], ${session.grantType}, ${session.family}, ${timestamp(session.issuedAt)},
                ${timestamp(session.issuedAt)}, ${session.idleSeconds})
        on conflict (token_hash) do nothing`,

  find: (tokenHash: string) =>
    sql`select session.client_id as "clientId", session.user_id as "userId", session.scopes,
               session.grant_type as "grantType", session.idle_seconds as "idleSeconds",
               extract(epoch from session.issued_at)::float8 as "issuedAt",
               extract(epoch from session.last_used_at)::float8 as "lastUsedAt",
               org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"
        from objectry.session session join objectry.org org on org.id = session.org_id
        where session.token_hash = ${tokenHash}`,

  /** Never moves the time back: another process may have stored a later one. */
  touch: (tokenHash: string, usedAt: number) =>
    sql`update objectry.session set last_used_at = greatest(last_used_at, ${timestamp(usedAt)})
        where token_hash = ${tokenHash}`,

  revoke: (tokenHash: string) => revoke(sql`token_hash = ${tokenHash}`),
  revokeFamily: (family: string) => revoke(sql`family = ${family}`),
  revokeClient: (org: Org, clientId: string) => revoke(ofClient(org, clientId)),
  openedBy: (tokenHash: string) => opened(sql`token_hash = ${tokenHash}`),
  openedByFamily: (family: string) => opened(sql`family = ${family}`),
  openedByClient: (org: Org, clientId: string) => opened(ofClient(org, clientId)),
  revokeOrg: (org: Org) => revoke(sql`org_id = ${org.id}`),

  /** Revocations of the last seconds, by the database's clock. */
  revokedSince: (seconds: number) =>
    sql`select token_hash as "tokenHash" from objectry.revocation
        where revoked_at > clock_timestamp() - ${seconds}::float8 * interval '1 second'`,

  deleteOldRevocations: sql`delete from objectry.revocation where revoked_at < clock_timestamp() - interval '1 day'`,

  deleteExpired: (org: Org, now: number) =>
    sql`delete from objectry.session
        where org_id = ${org.id} and last_used_at < ${timestamp(now)} - idle_seconds * interval '1 second'`,
}
