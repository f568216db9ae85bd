import { type Sql, sql } from '../base/sql.ts'
import type { AuditFields } from '../schema/objects/audit-fields.sql.ts'
import { touched } from '../schema/objects/audit-fields.sql.ts'
import type { Org } from '../storage/orgs/org.ts'

const versions = (org: Org) => sql.id(org.schemaName, 'contentversion')
const documents = (org: Org) => sql.id(org.schemaName, 'contentdocument')

export const contentVersionSql = {
  /** Locks files that get a new version, so that no other transaction adds one meanwhile. */
  lockFiles: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${documents(org)} where id = any(${ids}::text[]) and not isdeleted order by id for update`,

  countVersions: (org: Org, ids: readonly string[]): Sql =>
    sql`select contentdocumentid as id, max(versionnumber::integer) as last from ${versions(org)}
        where contentdocumentid = any(${ids}::text[]) group by 1`,

  /** Marks the newest version of each file as the latest one, and copies its properties to the file. */
  publish: (org: Org, ids: readonly string[], audit: AuditFields): Sql =>
    sql`with latest as (
          select distinct on (contentdocumentid) id, contentdocumentid, title, contentsize, filetype, fileextension
          from ${versions(org)} where contentdocumentid = any(${ids}::text[]) and not isdeleted
          order by contentdocumentid, versionnumber::integer desc),
        earlier as (
          update ${versions(org)} v set islatest = v.id = latest.id from latest
          where v.contentdocumentid = latest.contentdocumentid and v.islatest <> (v.id = latest.id))
        update ${documents(org)} d
        set latestpublishedversionid = latest.id, title = latest.title, contentsize = latest.contentsize,
            filetype = latest.filetype, fileextension = latest.fileextension, ${touched(audit)}
        from latest where d.id = latest.contentdocumentid`,
}
