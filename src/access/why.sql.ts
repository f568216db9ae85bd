import { type Sql, sql } from '../base/sql.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { RowLevel } from './sharing.ts'

const table = (org: Org, name: string) => sql.id(org.schemaName, name)

export const whySql = {
  /** The record with the name of its owner and the result of each rule. */
  record(org: Org, object: ObjectType, id: string, rules: Readonly<Record<RowLevel, Sql | undefined>>): Sql {
    const name = object.nameField?.column
    const owned = object.field('OwnerId') !== undefined
    const levels = Object.entries(rules).map(([level, rule]) => sql`${rule ?? sql`true`} as ${sql.id(level)}`)
    const owner = owned
      ? sql`r.ownerid as "ownerId",
            coalesce((select u.name from ${table(org, 'user')} u where u.id = r.ownerid),
                     (select g.name from ${table(org, 'group')} g where g.id = r.ownerid)) as "ownerName",
            (select q.name from ${table(org, 'user')} u join ${table(org, 'userrole')} q on q.id = u.userroleid
             where u.id = r.ownerid) as "ownerRole",
            (select u.userroleid from ${table(org, 'user')} u where u.id = r.ownerid) as "ownerRoleId"`
      : sql`null as "ownerId", null as "ownerName", null as "ownerRole", null as "ownerRoleId"`
    return sql`select r.isdeleted as "isDeleted", ${name === undefined ? sql`null` : sql.id('r', name)}::text as name,
                      ${owner}, ${sql.join(levels)}
               from ${table(org, object.table)} r where r.id = ${id}`
  },

  /** The shares of a record that apply to a user, with the group. */
  shares: (
    org: Org,
    share: { readonly object: ObjectType; readonly parent: Field; readonly level: Field },
    id: string,
    memberships: readonly string[],
  ) =>
    sql`select s.${sql.id(share.level.column!)} as level, g.name as "groupName"
        from ${table(org, share.object.table)} s left join ${table(org, 'group')} g on g.id = s.userorgroupid
        where s.${sql.id(share.parent.column!)} = ${id} and s.userorgroupid = any(${memberships}::text[]) and not s.isdeleted
        order by s.id`,

  /** The links of a file, and whether each grants access. */
  links: (org: Org, links: ObjectType, id: string, rule: Sql) =>
    sql`select l.linkedentityid as "locationId", l.sharetype as "shareType", ${rule} as enough
        from ${table(org, links.table)} l where l.contentdocumentid = ${id} and not l.isdeleted order by l.id`,

  /** The profile and permission sets that grant a right on an object or in the whole org. */
  sources: (org: Org, userId: string, profileId: string, object: string, right: string) =>
    sql`select case when p.isownedbyprofile then 'The profile ' || f.name else 'The permission set ' || p.label end as name
        from ${table(org, 'objectpermissions')} o
        join ${table(org, 'permissionset')} p on p.id = o.parentid
        left join ${table(org, 'profile')} f on f.id = p.profileid
        where lower(o.sobjecttype) = lower(${object}) and o.${sql.id(`permissions${right.toLowerCase()}`)}
          and not o.isdeleted and not p.isdeleted
          and (p.profileid = ${profileId} or exists (
            select from ${table(org, 'permissionsetassignment')} a
            where a.permissionsetid = p.id and a.assigneeid = ${userId} and not a.isdeleted))
        order by 1`,

  reference: (org: Org, object: ObjectType, field: Field, id: string) =>
    sql`select ${sql.id(field.column!)} as id from ${table(org, object.table)} where id = ${id}`,
}
