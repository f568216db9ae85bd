import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ListView } from '../definitions/definition.ts'
import { getMetadataTypeFields } from '../objects/metadata-type-fields.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { table } from '../objects/table.sql.ts'
import { withAuthor } from '../with-author.sql.ts'

const list = (texts: readonly string[]) => sql.raw(`array[${texts.map(quoteText).join(', ')}]::text[]`)

/** The columns that a record of a definition fills, without the id. */
const listColumns = (object: ObjectType): Sql[] => {
  const own = object.definition.fields.map(({ name }) => object.field(name)!.column!)
  return [...getMetadataTypeFields(object.name).map(({ name }) => name.toLowerCase()), ...own].map((name) =>
    sql.id(name),
  )
}

/** Statements of scripts, which take no parameters. */
export const metadataRecordsSql = {
  remove: (org: Org, object: ObjectType, ids: readonly string[]): Sql =>
    sql`delete from ${table(org, object)} where id = any(${list(ids)})`,

  /** Unique values may go from one record to another. */
  clearUnique(org: Org, object: ObjectType, ids: readonly string[]): Sql[] {
    const unique = object.definition.fields.filter((field) => field.unique === true)
    if (unique.length === 0) return []
    const cleared = unique.map(({ name }) => sql`${sql.id(object.field(name)!.column!)} = null`)
    return [sql`update ${table(org, object)} set ${sql.join(cleared)} where id = any(${list(ids)})`]
  },

  /**
   * Inserts or updates records. The org's first user is the author, whoever deploys. An org that is about to
   * be filled with the rows of another one has no user, and gets none here.
   * @param rows the columns of each record by name
   */
  save(org: Org, object: ObjectType, rows: readonly object[]): Sql {
    const columns = listColumns(object)
    const changed = columns.map((column) => sql`${column} = excluded.${column}`)
    const values = columns.map((column) => sql`given.${column}`)
    return withAuthor(
      org,
      sql`insert into ${table(org, object)} (id, ${sql.join(columns)},
        createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp)
      select given.id, ${sql.join(values)}, now(), author.id, now(), author.id, now()
      from jsonb_populate_recordset(null::${table(org, object)}, ${sql.raw(quoteText(JSON.stringify(rows)))}::jsonb) given, author
      on conflict (id) do update set ${sql.join(changed)}, lastmodifieddate = excluded.lastmodifieddate,
        lastmodifiedbyid = excluded.lastmodifiedbyid, systemmodstamp = excluded.systemmodstamp`,
    )
  },
}

const listViews = (org: Org) => sql.id(org.schemaName, 'listview')

export const listViewSql = {
  /** The org's first user is the author, whoever deploys. */
  save: (org: Org, object: string, { id, name, label }: ListView) =>
    withAuthor(
      org,
      sql`insert into ${listViews(org)} as known (id, name, developername, sobjecttype, issoqlcompatible,
                                            createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp)
        select ${id}, ${label}, ${name}, ${object}, true, now(), author.id, now(), author.id, now()
        from author
        on conflict (id) do update set name = excluded.name, lastmodifieddate = excluded.lastmodifieddate,
          lastmodifiedbyid = excluded.lastmodifiedbyid, systemmodstamp = excluded.systemmodstamp`,
    ),

  remove: (org: Org, ids: readonly string[]) =>
    sql`delete from ${listViews(org)} where id = any(${ids}::text[])`,
}
