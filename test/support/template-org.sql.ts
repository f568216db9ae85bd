import { type Sql, sql } from '../../src/base/sql.ts'
import type { Org } from '../../src/storage/orgs/org.ts'

const ORG = sql.raw('template_org')
const TABLE = sql.raw('template_table')
const ABSENT = sql.raw('template_absent_table')

/**
 * Orgs of a template database are kept beside the platform's own: a server does not see one until a test takes it.
 * `template_table` names the tables that have records in an org that was just made.
 */
export const templateOrgSql = {
  createTables: [
    sql`create table ${ORG} (like objectry.org including defaults, user_id text)`,
    sql`create table ${TABLE} (name text primary key)`,
    sql`create table ${ABSENT} (like objectry.absent_table)`,
  ],
  recordTables: (org: Org): Sql =>
    sql`select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = ${org.schemaName} and column_name = 'systemmodstamp' and table_type = 'BASE TABLE'`,
  noteIfFilled: (org: Org, table: string): Sql =>
    sql`insert into ${TABLE} select ${table}::text where exists (select from ${sql.id(org.schemaName, table)})
        on conflict do nothing`,
  /** Its absent tables go with an org. */
  keepAbsent: (org: Org): Sql =>
    sql`insert into ${ABSENT} select * from objectry.absent_table where schema_name = ${org.schemaName}`,
  giveAbsent: (org: Org): Sql =>
    sql`insert into objectry.absent_table select * from ${ABSENT} where schema_name = ${org.schemaName}`,
  /** Takes an org out of the platform's sight. */
  keep: (org: Org, userId: string): Sql =>
    sql`with kept as (delete from objectry.org where id = ${org.id} returning *)
        insert into ${ORG} select kept.*, ${userId}::text from kept`,
  count: sql`select count(*) as count from ${ORG}`,
  /** Gives the next org to the platform. */
  take: (host: string | undefined): Sql =>
    sql`with taken as (
          delete from ${ORG} where id = (select min(id) from ${ORG}) returning *
        ), made as (
          insert into objectry.org (id, schema_name, name, host, up_to_date_with)
          select id, schema_name, name, ${host ?? null}, up_to_date_with from taken
        )
        select id, schema_name as "schemaName", name, user_id as "userId" from taken`,
  filledTables: sql`select name from ${TABLE}`,
  /** Has the records of a table made at this time. */
  setTimes: (org: Org, table: string, time: string): Sql =>
    sql`update ${sql.id(org.schemaName, table)}
        set createddate = ${time}, lastmodifieddate = ${time}, systemmodstamp = ${time}`,
  /** Has the schema made now. */
  setChanged: (org: Org): Sql[] =>
    ['_schema_version', '_access_version'].map(
      (table) => sql`update ${sql.id(org.schemaName, table)} set changed_at = now()`,
    ),
}
