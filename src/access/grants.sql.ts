import { sql } from '../base/sql.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { Org } from '../storage/orgs/org.ts'
import { SYSTEM_PERMISSION_NAMES } from './system-permission.ts'

const table = (org: Org, name: string) => sql.id(org.schemaName, name)

const column = (name: string) => sql.id(`permissions${name.toLowerCase()}`)

/** True if one of the rows has the permission, under its own name. */
const anyOf = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`bool_or(${column(name)}) as ${sql.id(name)}`))

export const OBJECT_PERMISSION_NAMES = [
  'Read',
  'Create',
  'Edit',
  'Delete',
  'ViewAllRecords',
  'ModifyAllRecords',
  'ViewAllFields',
  'EditAllFields',
] as const

export const grantsSql = {
  /** The permission sets of a user: the assigned ones and the one of the profile. */
  sets: (org: Org, userId: string, profileId: string) =>
    sql`select p.id from ${table(org, 'permissionset')} p
        where not p.isdeleted and (p.profileid = ${profileId} or exists (
          select from ${table(org, 'permissionsetassignment')} a
          where a.permissionsetid = p.id and a.assigneeid = ${userId} and not a.isdeleted))`,

  system: (org: Org, profileId: string, sets: readonly string[]) => {
    const columns = sql.join(SYSTEM_PERMISSION_NAMES.map(column))
    return sql`select ${anyOf(SYSTEM_PERMISSION_NAMES)} from (
                 select ${columns} from ${table(org, 'profile')} where id = ${profileId} and not isdeleted
                 union all
                 select ${columns} from ${table(org, 'permissionset')} where id = any(${sets}::text[])) granted`
  },

  objects: (org: Org, sets: readonly string[]) =>
    sql`select lower(sobjecttype) as name, ${anyOf(OBJECT_PERMISSION_NAMES)}
        from ${table(org, 'objectpermissions')}
        where parentid = any(${sets}::text[]) and not isdeleted group by 1`,

  fields: (org: Org, sets: readonly string[]) =>
    sql`select lower(field) as name, ${anyOf(['Read', 'Edit'])}
        from ${table(org, 'fieldpermissions')}
        where parentid = any(${sets}::text[]) and not isdeleted group by 1`,

  resources: (org: Org, sets: readonly string[]) =>
    sql`select distinct resourcename as name from ${table(org, 'setupentityaccess')}
        where parentid = any(${sets}::text[]) and resourcename is not null and not isdeleted`,

  /** The groups of a user: as a member, by role or as one of all users; and the groups that contain those. */
  groups: (org: Org, userId: string, roleId: string | null) =>
    sql`with recursive above (id) as (
          select id from ${table(org, 'userrole')} where id = ${roleId} and not isdeleted
          union
          select r.parentroleid from ${table(org, 'userrole')} r join above on above.id = r.id
          where r.parentroleid is not null),
        mine (id) as (
          select id from (
            select m.groupid as id from ${table(org, 'groupmember')} m
            where m.userorgroupid = ${userId} and not m.isdeleted
            union all
            select g.id from ${table(org, 'group')} g
            where not g.isdeleted and (g.type = 'Organization'
              or (g.type = 'Role' and g.relatedid = ${roleId})
              or (g.type in ('RoleAndSubordinates', 'RoleAndSubordinatesInternal')
                  and g.relatedid in (select id from above)))) direct
          union
          select m.groupid from ${table(org, 'groupmember')} m join mine on m.userorgroupid = mine.id
          where not m.isdeleted)
        select mine.id from mine join ${table(org, 'group')} g on g.id = mine.id where not g.isdeleted`,

  rolesBelow: (org: Org, roleId: string) =>
    sql`with recursive below (id) as (
          select id from ${table(org, 'userrole')} where parentroleid = ${roleId} and not isdeleted
          union
          select r.id from ${table(org, 'userrole')} r join below on r.parentroleid = below.id where not r.isdeleted)
        select id from below where id <> ${roleId}`,

  usersOf: (org: Org, roles: readonly string[], max: number) =>
    sql`select id from ${table(org, 'user')} where userroleid = any(${roles}::text[]) limit ${max}::integer`,

  /** The number of records that a user owns or has shared access to, counted up to a bound. */
  spread: (
    org: Org,
    object: ObjectType,
    share: ObjectType | undefined,
    owners: readonly string[],
    memberships: readonly string[],
    max: number,
  ) => {
    const shares =
      share === undefined
        ? sql`0`
        : sql`(select count(*) from (select from ${table(org, share.table)}
               where userorgroupid = any(${memberships}::text[]) limit ${max}::integer) shared)`
    return sql`select (select count(*) from (select from ${table(org, object.table)}
                       where ownerid = any(${owners}::text[]) limit ${max}::integer) owned)::integer as owned,
                      ${shares}::integer as shared`
  },
}
