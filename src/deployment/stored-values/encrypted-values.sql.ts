import { type Sql, sql } from '../../base/sql.ts'
import { encryptedValueSql } from '../../schema/fields/encrypted-value.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** A table with columns for encrypted values: that of an object, or what a snapshot keeps of it. */
export interface EncryptedTable {
  readonly name: string
  /** The object's own table, which its values are bound to. */
  readonly object: string
  /** Columns of type text. */
  readonly columns: readonly string[]
  /** How many a record has in all of them at most. */
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
  /** What a snapshot keeps has no keys: without one each page would read all of it. */
  indexIds: (org: Org, of: EncryptedTable) =>
    sql`create index if not exists ${sql.id(`${of.name.slice(0, 50)}_ids`)} on ${table(org, of)} (id)`,

  /** The id of the last of the next so many records; null: there are none. */
  pageEnd: (org: Org, of: EncryptedTable, after: string, max: number) =>
    sql`select max(id) as last, count(*)::integer as records
        from (select id from ${table(org, of)} where id > ${after} order by id limit ${max}::integer) page`,

  /**
   * Records of a page with a value: each with its id and the columns in their order. Nobody else changes them until the transaction ends.
   * @param plainOnly those with a value that is not encrypted
   */
  page: (org: Org, of: EncryptedTable, after: string, last: string, plainOnly: boolean) =>
    sql`select ${sql.join(['id', ...of.columns].map((name) => sql.id(name)))} from ${table(org, of)}
        where id > ${after} and id <= ${last} and ${anyColumn(of, plainOnly ? isPlain : (column) => sql`${column} is not null`)}
        order by id for update`,

  /** Nothing but these values changes: no time, no user. */
  write: (org: Org, of: EncryptedTable, ids: readonly string[], values: readonly (string | null)[][]) => {
    const lists = [ids, ...values].map((list) => sql`${list}::text[]`)
    const names = ['id', ...of.columns].map((name) => sql.id(name))
    const set = of.columns.map((name) => sql`${sql.id(name)} = ${sql.id('written', name)}`)
    return sql`update ${table(org, of)} as target set ${sql.join(set)}
               from unnest(${sql.join(lists)}) as written (${sql.join(names)}) where target.id = written.id`
  },
}
