import { type Sql, sql } from '../../base/sql.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** A status before and after a change. */
interface StatusChange {
  readonly own: { readonly campaign: string; readonly label: string }
  readonly next: { readonly label: string; readonly hasResponded: boolean }
}

const statuses = (org: Org) => sql.id(org.schemaName, 'campaignmemberstatus')
const members = (org: Org) => sql.id(org.schemaName, 'campaignmember')
const campaigns = (org: Org) => sql.id(org.schemaName, 'campaign')

/** The day of a write. It is listed before: Citus refuses what depends on the session as a case of an update. */
const dayOf = (timestamp: AuditFields['timestamp']): Sql =>
  sql`(${timestampSql(timestamp)} at time zone 'UTC')::date`

export const memberStatusSql = {
  /** Locks the campaigns of statuses in one order, so that of one campaign's statuses one list is written at a time. */
  lockCampaigns: (org: Org, ids: readonly string[], statusIds: readonly string[]): Sql =>
    sql`select id from ${campaigns(org)}
        where id = any(${ids}::text[]) or id = any(select campaignid from ${statuses(org)} where id = any(${statusIds}::text[]))
        order by id for no key update`,

  /** The statuses of campaigns. */
  ofCampaigns: (org: Org, ids: readonly string[]): Sql =>
    sql`select id, campaignid as campaign, label, isdefault as "isDefault", hasresponded as "hasResponded"
        from ${statuses(org)} where campaignid = any(${ids}::text[]) and not isdeleted order by id`,

  /** The greatest place in the order of each campaign's statuses. Larger ones than a next one could follow are left out. */
  lastOrders: (org: Org, ids: readonly string[]): Sql =>
    sql`select campaignid as id, max(sortorder) as last from ${statuses(org)}
        where campaignid = any(${ids}::text[]) and not isdeleted and sortorder < 1000000 group by campaignid`,

  /** Leaves each campaign the last default among the written statuses, if there is one among them. */
  keepOneDefault: (org: Org, ids: readonly string[], { timestamp }: AuditFields): Sql =>
    sql`update ${statuses(org)} other set isdefault = false, systemmodstamp = ${timestampSql(timestamp)}
        from (select campaignid, max(id) as id from ${statuses(org)}
              where id = any(${ids}::text[]) and isdefault and not isdeleted group by campaignid) kept
        where other.campaignid = kept.campaignid and other.id <> kept.id and other.isdefault`,

  /** Gives the members with the statuses their new labels, and what these say of responses. */
  setMembers: (org: Org, changes: readonly StatusChange[], { timestamp }: AuditFields): Sql => {
    const list = (value: (change: StatusChange) => unknown) => changes.map(value)
    return sql`with given as materialized (
                 select listed.*, ${dayOf(timestamp)} as today
                 from unnest(${list(({ own }) => own.campaign)}::text[], ${list(({ own }) => own.label)}::text[],
                             ${list(({ next }) => next.label)}::text[], ${list(({ next }) => next.hasResponded)}::boolean[])
                      as listed (campaign, label, next, responded))
               update ${members(org)} member
               set status = given.next, hasresponded = given.responded, systemmodstamp = ${timestampSql(timestamp)},
                   firstrespondeddate = case when given.responded
                     then coalesce(firstrespondeddate, given.today) else firstrespondeddate end
               from given
               where member.campaignid = given.campaign and upper(member.status) = upper(given.label)
                 and not member.isdeleted
                 and (member.status, member.hasresponded) is distinct from (given.next, given.responded)`
  },

  /** Gives the members what their statuses say of responses, of these that are not deleted. Returns the campaigns. */
  adoptMembers: (org: Org, ids: readonly string[], { timestamp }: AuditFields): Sql =>
    sql`with own as materialized (
          select campaignid, label, hasresponded, ${dayOf(timestamp)} as today from ${statuses(org)}
          where id = any(${ids}::text[]) and not isdeleted)
        update ${members(org)} member
        set status = own.label, hasresponded = own.hasresponded, systemmodstamp = ${timestampSql(timestamp)},
            firstrespondeddate = case when own.hasresponded
              then coalesce(firstrespondeddate, own.today) else firstrespondeddate end
        from own
        where member.campaignid = own.campaignid and upper(member.status) = upper(own.label) and not member.isdeleted
          and (member.status, member.hasresponded) is distinct from (own.label, own.hasresponded)
        returning own.campaignid as campaign`,

  /** Counts the responses of campaigns again. */
  countResponses: (org: Org, ids: readonly string[], { timestamp }: AuditFields): Sql =>
    sql`update ${campaigns(org)} campaign set numberofresponses = counted.responses, systemmodstamp = ${timestampSql(timestamp)}
        from (select c.id, count(m.id)::integer as responses from ${campaigns(org)} c
              left join ${members(org)} m on m.campaignid = c.id and m.hasresponded and not m.isdeleted
              where c.id = any(${ids}::text[]) group by c.id) counted
        where campaign.id = counted.id and campaign.numberofresponses is distinct from counted.responses`,
}
