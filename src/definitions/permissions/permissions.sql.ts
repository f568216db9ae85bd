import { OBJECT_PERMISSION_NAMES } from '../../access/grants.sql.ts'
import { SYSTEM_PERMISSION_NAMES } from '../../access/system-permission.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const table = (org: Org, name: string) => sql.id(org.schemaName, name)

const column = (name: string) => `permissions${name.toLowerCase()}`

const columnsAs = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`${sql.id(column(name))} as ${sql.id(name)}`))

/** Who writes permissions that a deployment brings, and when. */
export interface Author {
  readonly userId: string
  readonly time: string
}

/** Only those whose names are asked for, without case. */
const isNamed = (names: readonly string[] | undefined, alias: string) =>
  names === undefined
    ? sql``
    : sql` and lower(${sql.id(alias, 'name')}) in (select lower(given) from unnest(${names}::text[]) given)`

export const permissionsSql = {
  /** Permission sets but those of profiles, the oldest first. */
  sets: (org: Org, names: readonly string[] | undefined) =>
    sql`select s.id, s.id as "setId", s.name, s.label, s.description, ${columnsAs(SYSTEM_PERMISSION_NAMES)}
        from ${table(org, 'permissionset')} s
        where s.profileid is null and not s.isdeleted${isNamed(names, 's')} order by s.createddate, s.id`,

  /** Profiles with the permission sets that belong to them. */
  profiles: (org: Org, names: readonly string[] | undefined) => {
    const either = SYSTEM_PERMISSION_NAMES.map((name) => {
      const [own, ofSet] = [sql.id('p', column(name)), sql.id('s', column(name))]
      return sql`(${own} or ${ofSet}) as ${sql.id(name)}`
    })
    return sql`select p.id, s.id as "setId", p.name, p.description, ${sql.join(either)}
               from ${table(org, 'profile')} p
               left join ${table(org, 'permissionset')} s on s.profileid = p.id and not s.isdeleted
               where not p.isdeleted${isNamed(names, 'p')} order by p.createddate, p.id`
  },

  /** Holds permission sets: nothing is granted by them meanwhile, and they are not deleted. */
  lockSets: (org: Org, ids: readonly string[]) =>
    sql`select id from ${table(org, 'permissionset')} where id = any(${ids}::text[]) order by id for update`,

  objects: (org: Org, sets: readonly string[]) =>
    sql`select id, parentid as "setId", sobjecttype as name, ${columnsAs(OBJECT_PERMISSION_NAMES)}
        from ${table(org, 'objectpermissions')}
        where parentid = any(${sets}::text[]) and not isdeleted order by id`,

  fields: (org: Org, sets: readonly string[]) =>
    sql`select id, parentid as "setId", field as name, ${columnsAs(['Read', 'Edit'])}
        from ${table(org, 'fieldpermissions')}
        where parentid = any(${sets}::text[]) and not isdeleted order by id`,

  custom: (org: Org, sets: readonly string[]) =>
    sql`select id, parentid as "setId", permissionname as name from ${table(org, 'setupentityaccess')}
        where parentid = any(${sets}::text[]) and permissionname is not null and not isdeleted order by id`,

  /** The active users who may manage users and customize the application, by profile. */
  administrators: (org: Org) =>
    sql`select p.id as "profileId", u.id from ${table(org, 'user')} u
        join ${table(org, 'profile')} p on p.id = u.profileid
        where p.permissionscustomizeapplication and p.permissionsmanageusers
          and u.usertype is distinct from 'Guest' and u.isactive and not u.isdeleted and not p.isdeleted
        order by u.createddate, u.id`,

  /** Holds profiles: nobody gets one of them meanwhile. */
  lockProfiles: (org: Org, ids: readonly string[]) =>
    sql`select id from ${table(org, 'profile')} where id = any(${ids}::text[]) order by id for update`,

  /** The users who have profiles, also those who are not active. */
  usersOf: (org: Org, profiles: readonly string[]) =>
    sql`select id, profileid as "profileId" from ${table(org, 'user')}
        where profileid = any(${profiles}::text[]) and not isdeleted order by createddate, id`,

  update: (
    org: Org,
    object: string,
    ids: readonly string[],
    values: Readonly<Record<string, string | number | boolean | null>>,
    { userId, time }: Author,
  ): Sql => {
    const set = Object.entries(values).map(([name, value]) => sql`${sql.id(name)} = ${value}`)
    return sql`update ${table(org, object)} set ${sql.join(set)}, lastmodifieddate = ${time},
                      lastmodifiedbyid = ${userId}, systemmodstamp = ${time}
               where id = any(${ids}::text[])`
  },

  /** Permission sets with all that belongs to them, assignments too. */
  removeSets: (org: Org, sets: readonly string[]): Sql[] => [
    ...['objectpermissions', 'fieldpermissions', 'setupentityaccess'].map(
      (name) => sql`delete from ${table(org, name)} where parentid = any(${sets}::text[])`,
    ),
    sql`delete from ${table(org, 'permissionsetassignment')} where permissionsetid = any(${sets}::text[])`,
    sql`delete from ${table(org, 'permissionset')} where id = any(${sets}::text[])`,
  ],

  remove: (org: Org, object: string, ids: readonly string[]) =>
    sql`delete from ${table(org, object)} where id = any(${ids}::text[])`,
}
