import { type Sql, sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

interface NewCode {
  readonly codeHash: string
  readonly family: string
  readonly clientId: string
  readonly orgId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly redirectUri: string
  readonly challenge: string | null
  readonly nonce: string | null
  readonly accessTokenHash: string | null
  /** Seconds since 1970. */
  readonly issuedAt: number
}

/** Locks the access token above, as who revokes it does first. */
export const lockParent = (tokenHash: Sql) =>
  sql`select from objectry.session where token_hash = ${tokenHash} for key share`

export const authorizationCodeSql = {
  /** Inserts nothing when the access token is revoked meanwhile. */
  insert: (code: NewCode) =>
    sql`with parent as (${lockParent(sql`${code.accessTokenHash}`)})
        insert into objectry.authorization_code
          (code_hash, family, client_id, org_id, user_id, scopes, redirect_uri, challenge, nonce, access_token_hash,
           issued_at)
        select ${code.codeHash}, ${code.family}, ${code.clientId}, ${code.orgId}, ${code.userId},
               ${code.scopes}::text[], ${code.redirectUri}, ${code.challenge}, ${code.nonce}, ${code.accessTokenHash},
               ${fromSeconds(code.issuedAt)}
        where ${code.accessTokenHash}::text is null or exists (select from parent)
        returning code_hash as "codeHash"`,

  find: (codeHash: string) =>
    sql`select code.code_hash as "codeHash", code.family, code.client_id as "clientId", code.user_id as "userId",
               code.scopes, code.redirect_uri as "redirectUri", code.challenge, code.nonce,
               extract(epoch from code.issued_at)::float8 as "issuedAt", code.used_at is not null as "isUsed",
               code.access_token_hash as "accessTokenHash",
               org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"
        from objectry.authorization_code code join objectry.org org on org.id = code.org_id
        where code.code_hash = ${codeHash}`,

  /**
   * Succeeds for one caller only: a concurrent one waits for the row and then finds the code used. The access token is locked
   * first, as by who revokes it.
   */
  use: (codeHash: string, now: number) =>
    sql`with parent as materialized (${lockParent(
      sql`(select access_token_hash from objectry.authorization_code where code_hash = ${codeHash})`,
    )})
        update objectry.authorization_code set used_at = ${fromSeconds(now)}
        where code_hash = ${codeHash} and used_at is null
          and (access_token_hash is null or exists (select from parent))
        returning family`,

  deleteOld: (org: Org, before: number) =>
    sql`delete from objectry.authorization_code
        where org_id = ${org.id} and issued_at < ${fromSeconds(before)}`,
}
