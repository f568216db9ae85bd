import { sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

export const upgradeGuestSql = {
  /** Includes an inactive guest. */
  guest: (org: Org) => sql`select id from ${sql.id(org.schemaName, 'user')} where usertype = 'Guest' limit 1`,

  /** Ignores case, and includes profiles in the recycle bin, which can be restored. */
  profileNamed: (org: Org, name: string) =>
    sql`select id from ${sql.id(org.schemaName, 'profile')}
        where upper(name) collate "C" = upper(${name}::text) collate "C" limit 1`,

  /** The locale of the org as columns of a user. Returns one row even when the organization has no record. */
  locale: (org: Org) =>
    sql`select coalesce(max(defaultlocalesidkey), 'en_US') as localesidkey,
               coalesce(max(languagelocalekey), 'en_US') as languagelocalekey,
               coalesce(max(timezonesidkey), 'GMT') as timezonesidkey,
               'UTF-8' as emailencodingkey
        from ${sql.id(org.schemaName, 'organization')} where id = ${org.id}`,
}
