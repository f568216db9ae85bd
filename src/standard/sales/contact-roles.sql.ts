import { type Sql, sql } from '../../base/sql.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const roles = (org: Org) => sql.id(org.schemaName, 'opportunitycontactrole')
const opportunities = (org: Org) => sql.id(org.schemaName, 'opportunity')

/** The opportunities of these roles. */
const ofRoles = (org: Org, ids: readonly string[]) =>
  sql`select opportunityid from ${roles(org)} where id = any(${ids}::text[])`

export const contactRoleSql = {
  /** Locks opportunities, and those of roles, in one order: of one opportunity's roles one list is written at a time. */
  lockOpportunities: (org: Org, ids: readonly string[], roleIds: readonly string[]): Sql =>
    sql`select id from ${opportunities(org)} where id = any(${ids}::text[]) or id = any(${ofRoles(org, roleIds)})
        order by id for no key update`,

  /** Leaves each opportunity the last primary role among the written ones, if there is one among them. */
  keepOnePrimary: (org: Org, ids: readonly string[], { timestamp }: AuditFields): Sql =>
    sql`update ${roles(org)} other set isprimary = false, systemmodstamp = ${timestampSql(timestamp)}
        from (select opportunityid, max(id) as id from ${roles(org)}
              where id = any(${ids}::text[]) and isprimary and not isdeleted group by opportunityid) kept
        where other.opportunityid = kept.opportunityid and other.id <> kept.id and other.isprimary`,

  /** Gives the opportunities of roles the contact of their primary one. */
  setContacts: (org: Org, ids: readonly string[], { timestamp }: AuditFields): Sql =>
    sql`update ${opportunities(org)} opportunity set contactid = found.contactid, systemmodstamp = ${timestampSql(timestamp)}
        from (select o.id, (select r.contactid from ${roles(org)} r
                            where r.opportunityid = o.id and r.isprimary and not r.isdeleted order by r.id limit 1) as contactid
              from ${opportunities(org)} o where o.id = any(${ofRoles(org, ids)})) found
        where opportunity.id = found.id and opportunity.contactid is distinct from found.contactid`,
}
