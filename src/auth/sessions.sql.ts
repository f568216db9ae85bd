import { sql } from '../base/sql.ts'

export interface NewSession {
  readonly tokenHash: string
  readonly clientId: string
  readonly orgId: string
  readonly userId: string
  readonly scopes: readonly string[]
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly idleSeconds: number
}

const moment = (seconds: number) => sql`to_timestamp(${seconds}::float8)`

export const sessionSql = {
  insert: (session: NewSession) =>
    sql`insert into objectry.session
          (token_hash, client_id, org_id, user_id, scopes, issued_at, last_used_at, idle_seconds)
        values (${session.tokenHash}, ${session.clientId}, ${session.orgId}, ${session.userId},
                ${session.scopes}::text[], ${moment(session.issuedAt)}, ${moment(session.issuedAt)},
                ${session.idleSeconds})`,

  find: (tokenHash: string) =>
    sql`select session.user_id as "userId", session.scopes, session.idle_seconds as "idleSeconds",
               extract(epoch from session.last_used_at)::float8 as "lastUsedAt",
               org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"
        from objectry.session session join objectry.org org on org.id = session.org_id
        where session.token_hash = ${tokenHash}`,

  touch: (tokenHash: string, usedAt: number) =>
    sql`update objectry.session set last_used_at = ${moment(usedAt)} where token_hash = ${tokenHash}`,

  deleteExpired: (now: number) =>
    sql`delete from objectry.session where last_used_at < ${moment(now)} - idle_seconds * interval '1 second'`,
}
