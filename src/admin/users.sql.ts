import { sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

/** Users, profiles and roles that the admin API finds by name. */
export const setupUserSql = {
  /** Users as the admin API lists them, by username. */
  list: (org: Org) =>
    sql`select u.id, u.username, u.name, u.email, u.isactive as "isActive", p.name as profile, r.name as role,
               extract(epoch from u.lastlogindate)::float8 as "lastLogin"
        from ${sql.id(org.schemaName, 'user')} u
        left join ${sql.id(org.schemaName, 'profile')} p on p.id = u.profileid
        left join ${sql.id(org.schemaName, 'userrole')} r on r.id = u.userroleid
        where not u.isdeleted order by upper(u.username) collate "C"`,

  find: (org: Org, id: string) =>
    sql`select id, username, usertype as "userType", isactive as "isActive" from ${sql.id(org.schemaName, 'user')}
        where id = ${id} and not isdeleted`,

  named: (org: Org, table: 'profile' | 'userrole', name: string) =>
    sql`select id from ${sql.id(org.schemaName, table)}
        where upper(name) collate "C" = upper(${name}::text) collate "C" and not isdeleted order by id limit 1`,

  names: (org: Org, table: 'profile' | 'userrole') =>
    sql`select name from ${sql.id(org.schemaName, table)} where not isdeleted order by name limit 50`,

  locale: (org: Org) =>
    sql`select defaultlocalesidkey as locale, languagelocalekey as language, timezonesidkey as "timeZone"
        from ${sql.id(org.schemaName, 'organization')} where id = ${org.id}`,
}
