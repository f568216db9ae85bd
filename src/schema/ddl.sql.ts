import { quoteIdentifier, type Sql, sql } from '../base/sql.ts'
import type { Org } from '../storage/org.ts'
import type { Field } from './field.ts'
import type { ObjectType } from './object-type.ts'
import type { SchemaSnapshot } from './snapshot.ts'

/**
 * Tables of an org's objects: real typed columns under the API names in lower case, so that psql reads them.
 * Built-in functions only and nothing that leaves the org's schema. (design 9)
 */

const POSTGRES_NAME_LENGTH = 63

/** A name for an index or constraint, shortened with a hash when PostgreSQL would cut it. */
function derivedName(object: ObjectType, field: Field, suffix: string): string {
  const name = `${object.table}_${field.name.toLowerCase()}_${suffix}`
  if (name.length <= POSTGRES_NAME_LENGTH) return name
  let hash = 0
  for (const character of name) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0
  return `${name.slice(0, POSTGRES_NAME_LENGTH - 9)}_${hash.toString(36)}`
}

export const uniqueIndexName = (object: ObjectType, field: Field) => derivedName(object, field, 'key')
const sequenceName = (object: ObjectType, field: Field) => derivedName(object, field, 'number')

/** The form in which a field is compared and looked up; its index is on the same expression. */
export function comparableColumn(field: Field, table?: string): Sql {
  const column = table === undefined ? sql.id(field.column!) : sql.id(table, field.column!)
  return field.type.comparable?.(column, field) ?? column
}

/** A value in that form, typed so that the index is used. */
export function comparableValue(field: Field, value: unknown): Sql {
  const parameter = sql`${value}::${sql.raw(field.type.parameter)}`
  return field.type.comparable?.(parameter, field) ?? parameter
}

function columnDefinition(org: Org, object: ObjectType, field: Field): string {
  const { type } = field
  const sequence = quoteIdentifier(org.schemaName, sequenceName(object, field))
  const constraint = type.constraint?.(field, sequence) ?? (field.system ? 'not null' : '')
  return `${quoteIdentifier(field.column!)} ${type.column(field.definition)} ${constraint}`
}

/**
 * Which deletion a record went with; null while it lives. No field: the way back from the recycle bin, by which all that
 * went together comes back together.
 */
export const DELETION = '_deletion'

const deletionColumn = `${quoteIdentifier(DELETION)} text collate "C"`

function hasColumn(field: Field): boolean {
  return field.column !== undefined
}

interface FieldIndex {
  readonly name: string
  readonly columns: Sql
  readonly unique: boolean
  /** Which rows it holds; undefined: all. */
  readonly where?: Sql
}

/** The index that a field has, if it has one: unique values, ways to parents and keys promise one. */
function indexOfField(object: ObjectType, field: Field): FieldIndex | undefined {
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
  return field.idLookup ? index(sql`${comparableColumn(field)} nulls first`) : undefined
}

/** Fields that are found by an index, each with the index's name. */
export function indexedFields(object: ObjectType): { readonly name: string; readonly index: string }[] {
  const indexed = [{ name: 'Id', index: `${object.table}_pkey` }]
  for (const field of object.fields) {
    const index = field.column === undefined ? undefined : indexOfField(object, field)
    if (index !== undefined) indexed.push({ name: field.name, index: index.name })
  }
  return indexed
}

/** Statements for what a field needs besides its column. */
function indexes(org: Org, object: ObjectType, field: Field): Sql[] {
  const index = indexOfField(object, field)
  if (index === undefined) return []
  const { name, columns, unique, where } = index
  const kind = sql.raw(unique ? 'unique index' : 'index')
  const only = where === undefined ? sql.raw('') : sql` where ${where}`
  return [sql`create ${kind} ${sql.id(name)} on ${sql.id(org.schemaName, object.table)} (${columns})${only}`]
}

/** A reference to one object is held by the database too; a polymorphic one cannot be. */
function foreignKey(org: Org, object: ObjectType, field: Field, schema: SchemaSnapshot): Sql[] {
  if (field.system || field.referenceTo.length !== 1) return []
  const target = schema.object(field.referenceTo[0]!)
  if (target === undefined) return []
  const name = derivedName(object, field, 'fkey')
  return [
    sql`alter table ${sql.id(org.schemaName, object.table)} add constraint ${sql.id(name)}
        foreign key (${sql.id(field.column!)}) references ${sql.id(org.schemaName, target.table)} (id)`,
  ]
}

export const ddl = {
  /** Tables first and foreign keys last, so that objects may point to each other. */
  createObjects(org: Org, objects: readonly ObjectType[], schema: SchemaSnapshot): Sql[] {
    const statements: Sql[] = []
    for (const object of objects) {
      const columns = object.fields.filter(hasColumn)
      for (const field of columns) statements.push(...ddl.createSequence(org, object, field))
      const lines = [...columns.map((field) => columnDefinition(org, object, field)), deletionColumn]
      statements.push(
        sql`create table ${sql.id(org.schemaName, object.table)} (${sql.raw(lines.join(', '))})`,
        ...columns.flatMap((field) => indexes(org, object, field)),
      )
    }
    for (const object of objects) {
      statements.push(...object.fields.flatMap((field) => foreignKey(org, object, field, schema)))
    }
    return statements
  },

  addFields(org: Org, object: ObjectType, fields: readonly Field[], schema: SchemaSnapshot): Sql[] {
    return fields
      .filter(hasColumn)
      .flatMap((field) => [
        ...ddl.createSequence(org, object, field),
        sql`alter table ${sql.id(org.schemaName, object.table)} add column ${sql.raw(columnDefinition(org, object, field))}`,
        ...indexes(org, object, field),
        ...foreignKey(org, object, field, schema),
      ])
  },

  /** Tables of an org that were made before deletions were remembered. */
  withoutDeletion: (org: Org, objects: readonly ObjectType[]): Sql =>
    sql`select name from unnest(${objects.map(({ table }) => table)}::text[]) as name
        where not exists (select from information_schema.columns
                          where table_schema = ${org.schemaName} and table_name = name and column_name = ${DELETION})`,

  addDeletion: (org: Org, table: string): Sql =>
    sql`alter table ${sql.id(org.schemaName, table)} add column ${sql.raw(deletionColumn)}`,

  createSequence(org: Org, object: ObjectType, field: Field): Sql[] {
    if (field.type.counted !== true) return []
    return [sql`create sequence ${sql.id(org.schemaName, sequenceName(object, field))}`]
  },
}
