import { sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

const table = (org: Org, name: string) => sql.id(org.schemaName, name)

/** The permission set of a profile has the name of the profile. */
const name = sql`coalesce(p.name, s.name)`

const sets = (org: Org) =>
  sql`${table(org, 'permissionset')} s left join ${table(org, 'profile')} p on p.id = s.profileid`

/** Grants of custom resources. */
export const setupResourceSql = {
  /** Grants by resource and name. */
  grants: (org: Org) =>
    sql`select distinct a.resourcename as resource, ${name} as name
        from ${table(org, 'setupentityaccess')} a join (${sets(org)}) on s.id = a.parentid
        where a.resourcename is not null and not a.isdeleted and not s.isdeleted
        order by 1, 2`,

  /** All profiles and permission sets that can get grants. */
  grantees: (org: Org) =>
    sql`select s.id, s.profileid as "profileId", ${name} as name, s.label from ${sets(org)}
        where not s.isdeleted and p.isdeleted is not true order by upper(${name}) collate "C", s.id`,

  /** Locks the set against other grants until the transaction ends. */
  lock: (org: Org, setId: string) =>
    sql`select id from ${table(org, 'permissionset')} where id = ${setId} and not isdeleted for update`,

  granted: (org: Org, setId: string, resource: string) =>
    sql`select id from ${table(org, 'setupentityaccess')}
        where parentid = ${setId} and resourcename = ${resource} and not isdeleted`,
}
