import { sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import { mayHaveChildren } from '../tokens/sessions.sql.ts'

interface NewCode {
  readonly codeHash: string
  readonly accessTokenHash: string
  readonly startPath: string
  /** Seconds since 1970. */
  readonly expiresAt: number
}

export const singleAccessSql = {
  /** Inserts nothing when the access token is revoked meanwhile, or too many others stand above it. */
  insert: ({ codeHash, accessTokenHash, startPath, expiresAt }: NewCode) =>
    sql`insert into objectry.single_access (code_hash, access_token_hash, start_path, expires_at)
        select ${codeHash}, token_hash, ${startPath}, ${fromSeconds(expiresAt)}
        from objectry.session
        where token_hash = ${accessTokenHash} and ${mayHaveChildren(sql`session.token_hash`)} for key share
        returning code_hash as "codeHash"`,

  /**
   * Takes a code for one caller only: a concurrent one waits for the row and then finds none. The access token is locked
   * first, as by who revokes it.
   */
  take: (codeHash: string, orgId: string | undefined, now: number) =>
    sql`with parent as materialized (
          select token_hash from objectry.session
          where token_hash = (select access_token_hash from objectry.single_access where code_hash = ${codeHash})
            and (${orgId ?? null}::text is null or org_id = ${orgId ?? null})
          for key share)
        delete from objectry.single_access code using parent
        where code.code_hash = ${codeHash} and code.expires_at > ${fromSeconds(now)}
          and code.access_token_hash = parent.token_hash
        returning code.access_token_hash as "accessTokenHash", code.start_path as "startPath"`,

  deleteOld: (now: number) => sql`delete from objectry.single_access where expires_at <= ${fromSeconds(now)}`,
}
