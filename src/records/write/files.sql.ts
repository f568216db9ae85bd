import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { AuditFields } from './write.sql.ts'
import { touched } from './write.sql.ts'

const versions = (org: Org) => sql.id(org.schemaName, 'contentversion')
const documents = (org: Org) => sql.id(org.schemaName, 'contentdocument')

export const filesSql = {
  /** Files that get another version, and how many they have; nobody else gives them one until the transaction ends. */
  lockFiles: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${documents(org)} where id = any(${ids}::text[]) and not isdeleted order by id for update`,

  countVersions: (org: Org, ids: readonly string[]): Sql =>
    sql`select contentdocumentid as id, max(versionnumber::integer) as last from ${versions(org)}
        where contentdocumentid = any(${ids}::text[]) group by 1`,

  /** The newest version of each file is the latest one, and the file says what it says. */
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
