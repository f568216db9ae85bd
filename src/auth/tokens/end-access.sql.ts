import { sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const of = (org: Org, userId: string) => sql`org_id = ${org.id} and user_id = ${userId}`

export const endAccessSql = {
  /** Every process looks at what is written here, and drops the tokens that it knows. */
  accessTokens: (org: Org, userId: string, kept: readonly string[]) =>
    sql`with gone as (delete from objectry.session
                      where ${of(org, userId)} and token_hash <> all(${kept}::text[]) returning token_hash)
        insert into objectry.revocation (token_hash) select token_hash from gone`,

  refreshTokens: (org: Org, userId: string, kept: readonly string[]) =>
    sql`delete from objectry.refresh_token where ${of(org, userId)} and token_hash <> all(${kept}::text[])`,

  browserSessions: (org: Org, userId: string, kept: readonly string[]) =>
    sql`delete from objectry.browser_session where ${of(org, userId)} and token_hash <> all(${kept}::text[])`,

  /** Codes that nobody has turned into a token yet. */
  authorizationCodes: (org: Org, userId: string) =>
    sql`delete from objectry.authorization_code where ${of(org, userId)} and used_at is null`,

  deviceCodes: (org: Org, userId: string) => sql`delete from objectry.device_code where ${of(org, userId)}`,
}
