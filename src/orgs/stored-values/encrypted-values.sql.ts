import { type Sql, sql } from '../../base/sql.ts'
import { encryptedValueSql } from '../../schema/fields/encrypted-value.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** A table with columns for encrypted values: an object's table, or a snapshot's copy of it. */
export interface EncryptedTable {
  readonly name: string
  /** The object's table, which its encrypted values are bound to. */
  readonly object: string
  /** Columns of type text. */
  readonly columns: readonly string[]
  /** Maximum characters of a record in all of these columns. */
  readonly characters: number
}

const table = (org: Org, { name }: EncryptedTable) => sql.id(org.schemaName, name)

const anyColumn = ({ columns }: EncryptedTable, condition: (column: Sql) => Sql) =>
  sql`(${sql.join(
    columns.map((column) => condition(sql.id(column))),
    ' or ',
  )})`

const isPlain = (column: Sql) => sql`(${column} is not null and not ${encryptedValueSql.isEncrypted(column)})`

export const encryptedValuesSql = {
  /** A snapshot's copy has no index. Without one each page would scan the table. */
  indexIds: (org: Org, of: EncryptedTable) =>
    sql`create index if not exists ${sql.id(`${of.name.slice(0, 50)}_ids`)} on ${table(org, of)} (id)`,

  /** The last id of the next page; null when there are no more records. */
  pageEnd: (org: Org, of: EncryptedTable, after: string, max: number) =>
    sql`select max(id) as last, count(*)::integer as records
        from (select id from ${table(org, of)} where id > ${after} order by id limit ${max}::integer) page`,

  /**
   * Records of a page that have a value, each with its id and the columns in their order. Locks them until the
   * transaction ends.
   * @param plainOnly only records with a value that is not encrypted
   */
  page: (org: Org, of: EncryptedTable, after: string, last: string, plainOnly: boolean) =>
    sql`select ${sql.join(['id', ...of.columns].map((name) => sql.id(name)))} from ${table(org, of)}
        where id > ${after} and id <= ${last} and ${anyColumn(of, plainOnly ? isPlain : (column) => sql`${column} is not null`)}
        order by id for update`,

  /** Changes only these values, not the audit fields. */
  write: (org: Org, of: EncryptedTable, ids: readonly string[], values: readonly (string | null)[][]) => {
    const lists = [ids, ...values].map((list) => sql`${list}::text[]`)
    const names = ['id', ...of.columns].map((name) => sql.id(name))
    const set = of.columns.map((name) => sql`${sql.id(name)} = ${sql.id('written', name)}`)
    return sql`update ${table(org, of)} as target set ${sql.join(set)}
               from unnest(${sql.join(lists)}) as written (${sql.join(names)}) where target.id = written.id`
  },
}
