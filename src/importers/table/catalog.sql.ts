import { type Sql, sql } from '../../base/sql.ts'

/** Reads the tables of a database from the built-in catalogs. Requires PostgreSQL 15 or newer. */

export interface TableRow {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly comment: string | null
}

export interface ColumnRow {
  readonly name: string
  /** `character varying`, `numeric`, `ARRAY`, `USER-DEFINED`, ...; of a domain its base type. */
  readonly type: string
  /** The name of the type when it is user-defined. */
  readonly typeName: string
  readonly length: number | null
  readonly precision: number | null
  readonly scale: number | null
  readonly nullable: boolean
  readonly default: string | null
  readonly identity: boolean
  /** The expression of a generated column. */
  readonly generated: string | null
  readonly comment: string | null
  /** The values of an enum. */
  readonly labels: readonly string[] | null
}

/** `p`rimary key, `u`nique, `f`oreign key, `c`heck, or another one. */
export interface ConstraintRow {
  readonly kind: string
  readonly name: string
  readonly definition: string
  readonly columns: readonly string[] | null
  readonly target: string | null
  /** Effect of deleting the target: `a` and `r` nothing, `c` cascade, `n` and `d` clear. */
  readonly onDelete: string
}

const columnNames = (numbers: Sql, table: Sql) => sql`(
  select array_agg(a.attname::text order by k.at)
  from unnest(${numbers}) with ordinality as k(number, at)
  join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`

export const catalogSql = {
  table: (name: string) =>
    sql`select c.oid::text as oid, n.nspname::text as schema, c.relname::text as name,
          obj_description(c.oid, 'pg_class') as comment
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.oid = to_regclass(${name}::text) and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
  tableNames: () =>
    sql`select n.nspname || '.' || c.relname as name
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
          and n.nspname not like 'pg_toast%'
        order by 1 limit 5000`,
  columns: ({ oid, schema, name }: TableRow) =>
    sql`select c.column_name::text as name, c.data_type::text as type, c.udt_name::text as "typeName",
          c.character_maximum_length::int as length, c.numeric_precision::int as precision,
          c.numeric_scale::int as scale, c.is_nullable = 'YES' as nullable, c.column_default::text as default,
          c.is_identity = 'YES' as identity, c.generation_expression::text as generated,
          col_description(${oid}::oid, c.ordinal_position::int) as comment,
          (select array_agg(e.enumlabel::text order by e.enumsortorder)
           from pg_enum e join pg_type t on t.oid = e.enumtypid join pg_namespace n on n.oid = t.typnamespace
           where t.typname = c.udt_name and n.nspname = c.udt_schema) as labels
        from information_schema.columns c
        where c.table_schema = ${schema} and c.table_name = ${name}
        order by c.ordinal_position`,
  constraints: ({ oid }: TableRow) =>
    sql`select c.contype::text as kind, c.conname::text as name, pg_get_constraintdef(c.oid) as definition,
          ${columnNames(sql`c.conkey`, sql`c.conrelid`)} as columns,
          n.nspname || '.' || t.relname as target, c.confdeltype::text as "onDelete"
        from pg_constraint c
        left join pg_class t on t.oid = c.confrelid left join pg_namespace n on n.oid = t.relnamespace
        where c.conrelid = ${oid}::oid and c.contype in ('p', 'u', 'f', 'c', 'x')
        union all
        select case when i.indpred is null and i.indexprs is null then 'u' else 'i' end,
          x.relname::text, pg_get_indexdef(i.indexrelid),
          ${columnNames(sql`i.indkey::int2[]`, sql`i.indrelid`)}, null, ''
        from pg_index i join pg_class x on x.oid = i.indexrelid
        where i.indrelid = ${oid}::oid and i.indisunique
          and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
        order by 1, 2`,
  /** The length of the longest text in each column. */
  longestTexts: ({ schema, name }: TableRow, columns: readonly string[]) =>
    sql`select ${sql.join(columns.map((column) => sql`coalesce(max(char_length(${sql.id(column)}::text)), 0)::int`))}
        from ${sql.id(schema, name)}`,
  /** The maximum digits before and after the point in each column. */
  maxDigits: ({ schema, name }: TableRow, columns: readonly string[]) =>
    sql`select ${sql.join(
      columns.flatMap((column) => {
        const number = sql`${sql.id(column)}::numeric`
        return [
          sql`coalesce(max(char_length(trunc(abs(${number}))::text)), 1)::int`,
          sql`coalesce(max(scale(trim_scale(${number}))), 0)::int`,
        ]
      }),
    )} from ${sql.id(schema, name)}`,
}
