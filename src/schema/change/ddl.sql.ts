import { quoteIdentifier, quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { storeUncompressed } from '../../storage/uncompressed.sql.ts'
import { fieldValue } from '../fields/column.sql.ts'
import { type Field, isKey, type RowSource } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { DELETION, table } from '../objects/table.sql.ts'

/**
 * Tables of an org's objects: typed columns named after the API names in lower case, so that psql can read them.
 * Uses built-in functions only, and nothing outside the org's schema.
 */

const MAX_NAME_BYTES = 63

/** Replaces the end of a name with a hash when PostgreSQL would truncate it. */
function shorten(name: string): string {
  if (name.length <= MAX_NAME_BYTES) return name
  let hash = 0
  for (const character of name) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0
  return `${name.slice(0, MAX_NAME_BYTES - 9)}_${hash.toString(36)}`
}

const derivedName = (object: ObjectType, field: Field, suffix: string) =>
  shorten(`${object.table}_${field.name.toLowerCase()}_${suffix}`)

export const uniqueIndexName = (object: ObjectType, field: Field) => derivedName(object, field, 'key')
export const statisticsName = (object: ObjectType, field: Field) => derivedName(object, field, 'stat')
const sequenceName = (object: ObjectType, field: Field) => derivedName(object, field, 'number')

/** The form in which a field is compared and looked up; its index is on the same expression. */
export function comparableColumn(field: Field, row?: string | RowSource): Sql {
  const column = fieldValue(field, row)
  return field.type.comparable?.(column, field) ?? column
}

/** A value in that form, with a type that allows the index to be used. */
export function comparableValue(field: Field, value: unknown): Sql {
  const parameter = sql`${value}::${sql.raw(field.type.parameter)}`
  return field.type.comparable?.(parameter, field) ?? parameter
}

/** The counter of a field, quoted, as its default names it. */
const qualifySequence = (org: Org, object: ObjectType, field: Field) =>
  quoteIdentifier(org.schemaName, sequenceName(object, field))

/** A column never holds null. */
export const isNotNull = (field: Field) => field.type.alwaysFilled === true || field.system

/** The default of a field's column as SQL. */
export const columnDefault = (org: Org, object: ObjectType, field: Field): string | undefined =>
  field.type.columnDefault?.(field, qualifySequence(org, object, field))

function columnDefinition(org: Org, object: ObjectType, field: Field): string {
  const { type } = field
  const start = `${quoteIdentifier(field.column!)} ${type.column(field.definition)}`
  const constraint = type.constraint?.(field)
  if (constraint !== undefined) return `${start} ${constraint}`
  const defaultValue = columnDefault(org, object, field)
  return `${start}${isNotNull(field) ? ' not null' : ''}${defaultValue === undefined ? '' : ` default ${defaultValue}`}`
}

const deletionColumn = `${quoteIdentifier(DELETION)} text collate "C"`

function hasColumn(field: Field): boolean {
  return field.column !== undefined
}

interface FieldIndex {
  readonly name: string
  readonly columns: Sql
  readonly unique: boolean
  /** The rows in the index; undefined for all. */
  readonly where?: Sql | undefined
}

/** The index of a field: unique fields, references and keys have one. */
function makeFieldIndex(object: ObjectType, field: Field): FieldIndex | undefined {
  if (field.definition.unique === true) {
    const columns = sql`${comparableColumn(field)} nulls first`
    return { name: uniqueIndexName(object, field), columns, unique: true, where: sql`not isdeleted` }
  }
  const index = (columns: Sql, where?: Sql): FieldIndex => ({
    name: derivedName(object, field, 'idx'),
    columns,
    unique: false,
    where,
  })
  if (field.name === 'SystemModstamp') return index(sql`systemmodstamp, id`)
  if (field.system) return undefined
  if (field.referenceTo.length > 0) {
    const column = sql.id(field.column!)
    return index(column, field.nillable ? sql`${column} is not null` : undefined)
  }
  // Nulls first, as a query sorts them.
  return isKey(field) ? index(sql`${comparableColumn(field)} nulls first`) : undefined
}

/** True if the index of a field sorts nulls first. The indexes of ids and of the time of change use PostgreSQL's default. */
export const indexedNullsFirst = (field: Field): boolean => field.type.literal !== 'id' && !field.system

interface IndexedField {
  readonly name: string
  /** The name of its index. */
  readonly index: string
}

/** The indexes of single fields. */
function listFieldIndexes(object: ObjectType): IndexedField[] {
  const indexed = [{ name: 'Id', index: `${object.table}_pkey` }]
  for (const field of object.fields) {
    const index = field.column === undefined ? undefined : makeFieldIndex(object, field)
    if (index !== undefined) indexed.push({ name: field.name, index: index.name })
  }
  return indexed
}

/** Fields that an index begins with, each with that index. */
export const indexedFields = (object: ObjectType): IndexedField[] => [
  ...listFieldIndexes(object),
  ...(object.definition.indexes ?? []).map((names) => ({
    name: object.field(names[0]!)!.name,
    index: makeDeclaredIndex(object, names).name,
  })),
]

/** True if an index begins with the field, so that conditions on it can use the index. */
export const beginsIndex = (object: ObjectType, field: Field): boolean =>
  (field.column !== undefined && makeFieldIndex(object, field) !== undefined) ||
  (object.definition.indexes ?? []).some(([first]) => object.field(first!) === field)

/** Begins like no table's name. */
export const TRIED_INDEX = '_tried_index'

/** The fields of each index of an object, in order. */
export function listIndexes(object: ObjectType): string[][] {
  const own = (object.definition.indexes ?? []).map((names) => names.map((name) => object.field(name)!.name))
  return [...listFieldIndexes(object).map(({ name }) => [name]), ...own]
}

/** The statements that create and drop an index. */
export interface Named {
  readonly name: string
  readonly create: Sql
  readonly drop: Sql
  /** Builds it without blocking writes; undefined when its constraint must hold at once. */
  readonly createConcurrently?: Sql
}

function makeIndex(org: Org, object: ObjectType, { name, columns, unique, where }: FieldIndex): Named {
  const kind = sql.raw(unique ? 'unique index' : 'index')
  const only = where === undefined ? sql.raw('') : sql` where ${where}`
  const what = sql`${sql.id(name)} on ${table(org, object)} (${columns})${only}`
  return {
    name,
    create: sql`create ${kind} ${what}`,
    ...(unique ? {} : { createConcurrently: sql`create index concurrently ${what}` }),
    // An upgrade may not have built it yet.
    drop: sql`drop index if exists ${sql.id(org.schemaName, name)}`,
  }
}

/** An index that the definition declares. */
function makeDeclaredIndex(object: ObjectType, names: readonly string[]): FieldIndex {
  const fields = names.map((name) => object.field(name)!)
  const columns = fields.map((field) => sql`${comparableColumn(field)} nulls first`)
  const name = shorten(`${object.table}_${fields.map((field) => field.name.toLowerCase()).join('_')}_own`)
  return { name, columns: sql.join(columns), unique: false }
}

/** All indexes of an object except its primary key and search index. */
function makeIndexes(org: Org, object: ObjectType): Named[] {
  if (object.definition.view !== undefined) return []
  const ofFields = object.fields.filter(hasColumn).flatMap((field) => makeFieldIndex(object, field) ?? [])
  const own = (object.definition.indexes ?? []).map((names) => makeDeclaredIndex(object, names))
  return [...ofFields, ...own].map((index) => makeIndex(org, object, index))
}

/** Sets the storage mode of a column whose type asks for one. */
function setStorage(org: Org, object: ObjectType, { column, type }: Field): Sql[] {
  if (type.storage === undefined) return []
  return [storeUncompressed(table(org, object), column!)]
}

/** Adds the column of a counted field. Citus carries out no command that does something else beside a default with `nextval`. */
function addCounted(org: Org, object: ObjectType, field: Field): Sql[] {
  const column = sql.id(field.column!)
  const alter = (what: Sql) => sql`alter table ${table(org, object)} ${what}`
  return [
    ...ddl.createSequence(org, object, field),
    alter(sql`add column ${column} ${sql.raw(field.type.column(field.definition)!)}`),
    alter(sql`alter column ${column} set default ${sql.raw(columnDefault(org, object, field)!)}`),
    ...ddl.numberRecords(org, object, field),
    alter(sql`alter column ${column} set not null`),
  ]
}

export const ddl = {
  /**
   * Drops the database views of objects that are read by their statements now. They would hold on to the columns that they
   * name. Views of somebody else in the schema stay.
   */
  dropViews: (org: Org): Sql =>
    sql.raw(`do $drop$
    declare name text;
    begin
      for name in select v.viewname from pg_views v
          join ${quoteIdentifier(org.schemaName, '_object')} o on lower(o.name) = v.viewname and o.definition ? 'view'
          where v.schemaname = ${quoteText(org.schemaName)} loop
        execute format('drop view %I.%I', ${quoteText(org.schemaName)}, name);
      end loop;
    end $drop$`),

  /** The table of an object with its sequences. Indexes are created once all tables exist. */
  createTable(org: Org, object: ObjectType): Sql[] {
    const columns = object.fields.filter(hasColumn)
    const lines = [...columns.map((field) => columnDefinition(org, object, field)), deletionColumn]
    return [
      ...columns.flatMap((field) => ddl.createSequence(org, object, field)),
      sql`create table ${table(org, object)} (${sql.raw(lines.join(', '))})`,
      ...columns.flatMap((field) => setStorage(org, object, field)),
    ]
  },

  /** Makes the table of an object that the org has, unless it is made: as every statement that names it. */
  makeTable: (org: Org, object: ObjectType): Sql => sql`select from ${table(org, object)} limit 0`,

  dropTable(org: Org, object: ObjectType): Sql[] {
    return [
      sql`drop table ${table(org, object)}`,
      ...object.fields.flatMap((field) => ddl.dropSequence(org, object, field)),
    ]
  },

  /** @param filled the value of existing records, as SQL */
  addColumn(org: Org, object: ObjectType, field: Field, filled?: string): Sql[] {
    const table = sql.id(org.schemaName, object.table)
    if (field.type.counted === true) return addCounted(org, object, field)
    const definition = columnDefinition(org, object, field)
    const add = (more: string) => sql`alter table ${table} add column ${sql.raw(definition + more)}`
    if (filled === undefined) return [add(''), ...setStorage(org, object, field)]
    return [
      add(` default ${filled}`),
      sql`alter table ${table} alter column ${sql.id(field.column!)} drop default`,
    ]
  },

  /**
   * Numbers the records without a value in the order of their creation; the counter goes on behind them. A cluster takes no number
   * for a row that is there.
   */
  numberRecords(org: Org, object: ObjectType, field: Field): Sql[] {
    const column = sql.id(field.column!)
    const without = sql`from ${table(org, object)} where ${column} is null`
    const number = sql.raw(field.type.writeNumber!(field, 'row_number() over (order by createddate, id)'))
    const counter = sql.raw(quoteText(qualifySequence(org, object, field)))
    return [
      sql`do $number$
          declare numbered bigint;
          begin
            select count(*) into numbered ${without};
            if numbered > 0 then perform setval(${counter}, numbered); end if;
          end $number$`,
      sql`update ${table(org, object)} as target set ${column} = listed.text
          from (select id, ${number} as text ${without}) listed where target.id = listed.id`,
    ]
  },

  dropColumn(org: Org, object: ObjectType, field: Field): Sql[] {
    return [
      sql`alter table ${table(org, object)} drop column ${sql.id(field.column!)}`,
      ...ddl.dropSequence(org, object, field),
    ]
  },

  indexes: makeIndexes,

  /** Every index of an org by name. An invalid one is being built, or its build was interrupted. */
  allIndexes: (org: Org): Sql =>
    sql`select c.relname as name, i.indisvalid as "isValid" from pg_index i
        join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = ${org.schemaName}`,

  /** Drops what the database knows of a field's values as they are compared: another type may have no such form. */
  dropStatistics: (org: Org, object: ObjectType, field: Field): Sql =>
    sql`drop statistics if exists ${sql.id(org.schemaName, statisticsName(object, field))}`,

  /** An index as a definition would declare it; for a transaction that is rolled back. */
  tryIndex(org: Org, object: ObjectType, names: readonly string[]): Sql {
    return sql`create index ${sql.id(TRIED_INDEX)} on ${table(org, object)} (${makeDeclaredIndex(object, names).columns})`
  },

  dropIndex: (org: Org, name: string): Sql => sql`drop index if exists ${sql.id(org.schemaName, name)}`,

  dropIndexConcurrently: (org: Org, name: string): Sql =>
    sql`drop index concurrently if exists ${sql.id(org.schemaName, name)}`,

  createSequence(org: Org, object: ObjectType, field: Field): Sql[] {
    if (field.type.counted !== true) return []
    return [sql`create sequence ${sql.id(org.schemaName, sequenceName(object, field))}`]
  },

  dropSequence(org: Org, object: ObjectType, field: Field): Sql[] {
    if (field.type.counted !== true) return []
    return [sql`drop sequence ${sql.id(org.schemaName, sequenceName(object, field))}`]
  },
}
