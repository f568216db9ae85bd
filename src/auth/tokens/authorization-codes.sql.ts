import { sql } from '../../base/sql.ts'
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
  /** Seconds since 1970. */
  readonly issuedAt: number
}

export const authorizationCodeSql = {
  insert: (code: NewCode) =>
    sql`insert into objectry.authorization_code
          (code_hash, family, client_id, org_id, user_id, scopes, redirect_uri, challenge, nonce, issued_at)
        values (${code.codeHash}, ${code.family}, ${code.clientId}, ${code.orgId}, ${code.userId},
                ${code.scopes}::text[], ${code.redirectUri}, ${code.challenge}, ${code.nonce},
                to_timestamp(${code.issuedAt}::float8))`,

  find: (codeHash: string) =>
    sql`select code.code_hash as "codeHash", code.family, code.client_id as "clientId", code.user_id as "userId",
               code.scopes, code.redirect_uri as "redirectUri", code.challenge, code.nonce,
               extract(epoch from code.issued_at)::float8 as "issuedAt", code.used_at is not null as "isUsed",
               org.id as "orgId", org.schema_name as "schemaName", org.name as "orgName"
        from objectry.authorization_code code join objectry.org org on org.id = code.org_id
        where code.code_hash = ${codeHash}`,

  /** Succeeds for one caller only: a concurrent one waits for the row and then finds the code used. */
  use: (codeHash: string, now: number) =>
    sql`update objectry.authorization_code set used_at = to_timestamp(${now}::float8)
        where code_hash = ${codeHash} and used_at is null returning family`,

  deleteOld: (org: Org, before: number) =>
    sql`delete from objectry.authorization_code
        where org_id = ${org.id} and issued_at < to_timestamp(${before}::float8)`,
}
