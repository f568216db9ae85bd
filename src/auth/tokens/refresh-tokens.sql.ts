import { sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

interface NewRefreshToken {
  readonly tokenHash: string
  readonly family: string
  readonly clientId: string
  readonly orgId: string
  readonly userId: string
  readonly scopes: readonly string[]
  /** When the first token of its family was issued, in seconds since 1970. */
  readonly issuedAt: number
  readonly lastUsedAt: number
}

export const refreshTokenSql = {
  insert: (token: NewRefreshToken) =>
    sql`insert into objectry.refresh_token
          (token_hash, family, client_id, org_id, user_id, scopes, issued_at, last_used_at)
        values (${token.tokenHash}, ${token.family}, ${token.clientId}, ${token.orgId}, ${token.userId},
                ${token.scopes}::text[], ${fromSeconds(token.issuedAt)}, ${fromSeconds(token.lastUsedAt)})`,

  find: (tokenHash: string) =>
    sql`select token.token_hash as "tokenHash", token.family, token.client_id as "clientId",
               token.user_id as "userId", token.scopes,
               extract(epoch from token.issued_at)::float8 as "issuedAt",
               extract(epoch from token.last_used_at)::float8 as "lastUsedAt",
               extract(epoch from token.retired_at)::float8 as "retiredAt",
               org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"
        from objectry.refresh_token token join objectry.org org on org.id = token.org_id
        where token.token_hash = ${tokenHash}`,

  /** Locks the row until the end of the transaction, so that the token is not revoked meanwhile. */
  use: (tokenHash: string, now: number) =>
    sql`update objectry.refresh_token set last_used_at = ${fromSeconds(now)}
        where token_hash = ${tokenHash} returning token_hash`,

  /** Succeeds for one caller only: a concurrent one waits for the row and then finds the token retired. */
  retire: (tokenHash: string, now: number) =>
    sql`update objectry.refresh_token set last_used_at = ${fromSeconds(now)}, retired_at = ${fromSeconds(now)}
        where token_hash = ${tokenHash} and retired_at is null returning token_hash`,

  deleteRetired: (org: Org, before: number) =>
    sql`delete from objectry.refresh_token where org_id = ${org.id} and retired_at < ${fromSeconds(before)}`,
}
