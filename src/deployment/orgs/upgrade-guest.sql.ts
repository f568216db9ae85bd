import { sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const upgradeGuestSql = {
  /** One that is not active is one too. */
  guest: (org: Org) => sql`select id from ${sql.id(org.schemaName, 'user')} where usertype = 'Guest' limit 1`,

  /** Whatever its case, and also one that may come back from the recycle bin. */
  profileNamed: (org: Org, name: string) =>
    sql`select id from ${sql.id(org.schemaName, 'profile')}
        where upper(name) collate "C" = upper(${name}::text) collate "C" limit 1`,

  /** That of the org, as a user has it; one row, also where the organization has no record. */
  locale: (org: Org) =>
    sql`select coalesce(max(defaultlocalesidkey), 'en_US') as localesidkey,
               coalesce(max(languagelocalekey), 'en_US') as languagelocalekey,
               coalesce(max(timezonesidkey), 'GMT') as timezonesidkey,
               'UTF-8' as emailencodingkey
        from ${sql.id(org.schemaName, 'organization')} where id = ${org.id}`,
}
