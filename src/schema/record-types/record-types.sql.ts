import { sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { RecordType } from '../definitions/definition.ts'
import { withAuthor } from '../with-author.sql.ts'

const table = (org: Org) => sql.id(org.schemaName, 'recordtype')

export const recordTypeSql = {
  /** The org's first user is the author, whoever deploys. */
  save: (org: Org, object: string, { id, name, label, description, inactive }: RecordType) =>
    withAuthor(
      org,
      sql`insert into ${table(org)} as known (id, name, developername, description, sobjecttype, isactive,
                                            createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp)
        select ${id}, ${label}, ${name}, ${description ?? null}, ${object}, ${inactive !== true},
               now(), author.id, now(), author.id, now()
        from author
        on conflict (id) do update set name = excluded.name, description = excluded.description,
          isactive = excluded.isactive, lastmodifieddate = excluded.lastmodifieddate,
          lastmodifiedbyid = excluded.lastmodifiedbyid, systemmodstamp = excluded.systemmodstamp`,
    ),

  /** The ids among these that are active record types of the object. */
  findActive: (org: Org, object: string, ids: readonly string[]) =>
    sql`select id from ${table(org)}
        where id = any(${ids}::text[]) and sobjecttype = ${object} and isactive and not isdeleted`,

  remove: (org: Org, ids: readonly string[]) => sql`delete from ${table(org)} where id = any(${ids}::text[])`,
}
