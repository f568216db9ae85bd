import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { beginsIndex, comparableColumn, statisticsName } from '../change/ddl.sql.ts'
import { type Field, isStored } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { table } from '../objects/table.sql.ts'

/** Tables with fewer records or changes are left to PostgreSQL: every plan of a small table is good. */
const MIN_RECORDS = 2000

/** Maximum number of statistics of a table: each costs tens of milliseconds whenever the table is analyzed. */
const MAX_STATISTICS = 12

/** A table whose statistics are missing or outdated. */
export interface DueTable extends Org {
  readonly table: string
}

/** PostgreSQL knows how often a column has a value, but not how often an expression of it does, unless an index has that. */
const needsStatistics = (object: ObjectType, field: Field): boolean =>
  isStored(field) &&
  !field.system &&
  field.type.literal === 'string' &&
  field.type.comparable !== undefined &&
  field.definition.caseSensitive !== true &&
  field.type.operators.includes('equality') &&
  field.type.encrypted === undefined &&
  !beginsIndex(object, field)

export const statisticsSql = {
  /** How often the values of texts without an index occur, in the form in which they are compared: picklists first. */
  create(org: Org, object: ObjectType): Sql[] {
    const fields = object.fields.filter((field) => needsStatistics(object, field))
    const ordered = [
      ...fields.filter(({ type }) => type.listed === true),
      ...fields.filter(({ type }) => type.listed !== true),
    ]
    return ordered.slice(0, MAX_STATISTICS).map(
      (field) =>
        sql`create statistics if not exists ${sql.id(org.schemaName, statisticsName(object, field))}
            on (${comparableColumn(field)}) from ${table(org, object)}`,
    )
  },

  analyze: (org: Org, table: string): Sql => sql`analyze ${sql.id(org.schemaName, table)}`,

  /** @param milliseconds after which PostgreSQL ends a statement of the connection */
  limit: (milliseconds: number): Sql => sql`set statement_timeout = ${sql.raw(String(milliseconds))}`,

  /** Tables of which a fifth has changed since they were analyzed, and large ones without statistics of expressions. */
  due: sql`with measured as (
      select o.id, o.schema_name, o.name, c.oid, c.relname, greatest(c.reltuples, 0) as records,
             pg_stat_get_mod_since_analyze(c.oid) as changes
      from objectry.org o join pg_namespace n on n.nspname = o.schema_name
      join pg_class c on c.relnamespace = n.oid and c.relkind = 'r' and c.relname !~ '^_')
    select id, schema_name as "schemaName", name, relname as table, changes >= greatest(${MIN_RECORDS}::integer, records / 5) as "hasChanged"
    from measured
    where changes >= greatest(${MIN_RECORDS}::integer, records / 5)
       or (records >= ${MIN_RECORDS}::integer and not exists (select from pg_statistic_ext where stxrelid = oid))
    order by changes desc limit 100`,
}
