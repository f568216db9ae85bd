import { sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ListView } from '../definitions/definition.ts'

const table = (org: Org) => sql.id(org.schemaName, 'listview')

export const listViewSql = {
  /** The org's first user is the author, whoever deploys. */
  save: (org: Org, object: string, { id, name, label }: ListView) =>
    sql`insert into ${table(org)} as known (id, name, developername, sobjecttype, issoqlcompatible,
                                            createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp)
        select ${id}, ${label}, ${name}, ${object}, true, now(), signer.id, now(), signer.id, now()
        from (select id from ${sql.id(org.schemaName, 'user')} order by createddate, id limit 1) as signer
        on conflict (id) do update set name = excluded.name, lastmodifieddate = excluded.lastmodifieddate,
          lastmodifiedbyid = excluded.lastmodifiedbyid, systemmodstamp = excluded.systemmodstamp`,

  remove: (org: Org, ids: readonly string[]) => sql`delete from ${table(org)} where id = any(${ids}::text[])`,
}
