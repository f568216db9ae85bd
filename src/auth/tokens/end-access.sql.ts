import { sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const ofUser = (org: Org, userId: string) => sql`org_id = ${org.id} and user_id = ${userId}`

export const endAccessSql = {
  /** Every process reads the revocations written here, and drops cached tokens. */
  accessTokens: (org: Org, userId: string, kept: readonly string[]) =>
    sql`with gone as (delete from objectry.session
                      where ${ofUser(org, userId)} and token_hash <> all(${kept}::text[]) returning token_hash)
        insert into objectry.revocation (token_hash) select token_hash from gone`,

  refreshTokens: (org: Org, userId: string, kept: readonly string[]) =>
    sql`delete from objectry.refresh_token where ${ofUser(org, userId)} and token_hash <> all(${kept}::text[])`,

  browserSessions: (org: Org, userId: string, kept: readonly string[]) =>
    sql`delete from objectry.browser_session where ${ofUser(org, userId)} and token_hash <> all(${kept}::text[])`,

  /** Codes that were not exchanged for a token yet. */
  authorizationCodes: (org: Org, userId: string) =>
    sql`delete from objectry.authorization_code where ${ofUser(org, userId)} and used_at is null`,

  deviceCodes: (org: Org, userId: string) =>
    sql`delete from objectry.device_code where ${ofUser(org, userId)}`,
}
