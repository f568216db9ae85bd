import { type Sql, sql } from '../../base/sql.ts'
import { type AuditFields, touched } from '../../schema/objects/table.sql.ts'
import { timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const versions = (org: Org) => sql.id(org.schemaName, 'contentversion')
const documents = (org: Org) => sql.id(org.schemaName, 'contentdocument')

export const contentVersionSql = {
  /** Locks files that get a new version, so that no other transaction adds one meanwhile. */
  lockFiles: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${documents(org)} where id = any(${ids}::text[]) and not isdeleted order by id for update`,

  /** Locks the files of versions in the same way. */
  lockFilesOf: (org: Org, versionIds: readonly string[]): Sql =>
    sql`select id from ${documents(org)}
        where id = any(array(select contentdocumentid from ${versions(org)} where id = any(${versionIds}::text[]))) and not isdeleted
        order by id for update`,

  /** Those of the versions that are not the latest ones. */
  earlier: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${versions(org)} where id = any(${ids}::text[]) and not islatest and not isdeleted`,

  /** Gives the latest versions the titles and descriptions of their files. */
  describeLatest: (org: Org, files: readonly string[], { timestamp }: AuditFields): Sql =>
    sql`update ${versions(org)} v set title = d.title, description = d.description, systemmodstamp = ${timestampSql(timestamp)}
        from ${documents(org)} d
        where d.id = any(${files}::text[]) and not d.isdeleted and v.id = d.latestpublishedversionid
          and (v.title, v.description) is distinct from (d.title, d.description)`,

  countVersions: (org: Org, ids: readonly string[]): Sql =>
    sql`select contentdocumentid as id, max(versionnumber::integer) as last from ${versions(org)}
        where contentdocumentid = any(${ids}::text[]) group by 1`,

  /** Marks the newest version of each file as the latest one, and copies its properties to the file. */
  publish: (org: Org, ids: readonly string[], audit: AuditFields): Sql =>
    sql`with latest as (
          select distinct on (contentdocumentid) id, contentdocumentid, title, description, contentsize, filetype, fileextension,
                 coalesce(contentmodifieddate, createddate) as modified
          from ${versions(org)} where contentdocumentid = any(${ids}::text[]) and not isdeleted
          order by contentdocumentid, versionnumber::integer desc),
        earlier as (
          update ${versions(org)} v set islatest = v.id = latest.id from latest
          where v.contentdocumentid = latest.contentdocumentid and v.islatest <> (v.id = latest.id))
        update ${documents(org)} d
        set latestpublishedversionid = latest.id, title = coalesce(latest.title, d.title), description = latest.description, contentmodifieddate = latest.modified, contentsize = latest.contentsize,
            filetype = latest.filetype, fileextension = latest.fileextension, ${touched(audit)}
        from latest where d.id = latest.contentdocumentid`,
}
