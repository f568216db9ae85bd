import { sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const organization = (org: Org) => sql.id(org.schemaName, 'organization')

export const userSql = {
  find: (org: Org, id: string) =>
    sql`select id, username, isactive as "isActive", firstname as "firstName", lastname as "lastName", name, email,
               communitynickname as nickname, usertype as "userType", languagelocalekey as language,
               localesidkey as locale, timezonesidkey as "timeZone", mobilephone as "mobilePhone",
               lastmodifieddate as "lastModified",
               profileid as "profileId", userroleid as "roleId",
               (select fiscalyearstartmonth from ${organization(org)} where id = ${org.id}) as "fiscalStartMonth",
               (select usesstartdateasfiscalyearname from ${organization(org)} where id = ${org.id}) as "isFiscalYearNamedByStart",
               (select timezonesidkey from ${organization(org)} where id = ${org.id}) as "orgTimeZone",
               (select id from ${sql.id(org.schemaName, 'businesshours')} where isdefault limit 1) as "businessHours"
        from ${sql.id(org.schemaName, 'user')} where id = ${id} and not isdeleted`,

  findIdByName: (org: Org, username: string) =>
    sql`select id from ${sql.id(org.schemaName, 'user')}
        where upper(username) collate "C" = upper(${username}::text) collate "C" and not isdeleted`,

  inactive: (org: Org, ids: readonly string[]) =>
    sql`select id from ${sql.id(org.schemaName, 'user')}
        where id = any(${ids}::text[]) and not isactive and not isdeleted`,

  /** A user whose profile may manage users and the org; never a guest, whatever permissions it has. */
  firstAdministrator: (org: Org) =>
    sql`select u.id from ${sql.id(org.schemaName, 'user')} u
        join ${sql.id(org.schemaName, 'profile')} p on p.id = u.profileid
        where p.permissionscustomizeapplication and p.permissionsmanageusers
          and u.usertype is distinct from 'Guest' and u.isactive and not u.isdeleted and not p.isdeleted
        order by u.createddate, u.id limit 1`,

  firstGuest: (org: Org) =>
    sql`select id from ${sql.id(org.schemaName, 'user')}
        where usertype = 'Guest' and isactive and not isdeleted order by createddate, id limit 1`,
}
