import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { encryptedValueSql } from '../fields/encrypted-value.sql.ts'
import type { Field } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { table } from '../objects/table.sql.ts'
import { metadataSql } from '../snapshot/metadata.sql.ts'
import { findConversion } from './conversions.sql.ts'
import { columnDefault, ddl, isNotNull } from './ddl.sql.ts'
import { during, type Statement } from './step.ts'

/** A value of a definition as SQL. */
export function constant(value: string | number | boolean): string {
  return typeof value === 'string' ? quoteText(value) : String(value)
}

interface Side {
  readonly object: ObjectType
  readonly field: Field
}

/** Trims values from a default with blanks: a leading blank would mark the value as encrypted. */
function trimValues(org: Org, { object, field }: Side): Sql {
  const column = sql.id(field.column!)
  return sql`update ${table(org, object)} set ${column} = nullif(btrim(${column}), '')
             where ${encryptedValueSql.isEncrypted(column)}`
}

/**
 * Changes a column's type, default and nullability to those of another field. Empty when the column stays the same.
 */
export function alterColumn(org: Org, before: Side, after: Side): Statement[] {
  const { object, field } = after
  const column = sql.id(field.column!)
  const alter = (what: Sql): Statement => ({
    phase: 'alter',
    sql: sql`alter table ${table(org, object)} alter column ${column} ${what}`,
  })
  const type = field.type.column(field.definition)!
  const isRetyped = before.field.type.column(before.field.definition) !== type
  const defaultValue = columnDefault(org, object, field)
  const oldDefault = columnDefault(org, before.object, before.field)
  const statements: Statement[] = []
  const isChanged = isRetyped || defaultValue !== oldDefault
  if (isChanged && oldDefault !== undefined) statements.push(alter(sql`drop default`))
  if (isChanged && isNotNull(before.field) && !isNotNull(field)) statements.push(alter(sql`drop not null`))
  if (isRetyped) {
    statements.push({ phase: 'drop indexes', sql: ddl.dropStatistics(org, before.object, before.field) })
    const using = findConversion(before.field, field)!
    statements.push(alter(sql`type ${sql.raw(type)} using ${using}`))
  }
  const becomesEncrypted = field.type.encrypted !== undefined && before.field.type.encrypted === undefined
  if (becomesEncrypted && before.field.type.parameter === 'text') {
    statements.push({ phase: 'fill', sql: trimValues(org, before) })
  }
  if (field.type.counted && !before.field.type.counted) {
    statements.push(
      ...ddl.createSequence(org, object, field).map((one) => ({ phase: 'fill' as const, sql: one })),
    )
  }
  if (isChanged && defaultValue !== undefined)
    statements.push(alter(sql`set default ${sql.raw(defaultValue)}`))
  if (isNotNull(field) && !isNotNull(before.field)) {
    const fill = field.type.counted
      ? ddl.numberRecords(org, object, field)
      : [sql`update ${table(org, object)} set ${column} = ${sql.raw(defaultValue!)} where ${column} is null`]
    statements.push(...during('alter', fill), alter(sql`set not null`))
  }
  if (before.field.type.counted && !field.type.counted) {
    statements.push(
      ...ddl
        .dropSequence(org, before.object, before.field)
        .map((one) => ({ phase: 'alter' as const, sql: one })),
    )
  }
  return statements
}

/** Clears references to objects that the field may no longer refer to. */
export const clearReferences = (
  org: Org,
  object: ObjectType,
  field: Field,
  prefixes: readonly string[],
): Sql =>
  sql`update ${table(org, object)} set ${sql.id(field.column!)} = null where ${pointsTo(field, prefixes)}`

/** Deletes the records that belong to records of removed objects. */
export const deleteReferring = (
  org: Org,
  object: ObjectType,
  field: Field,
  prefixes: readonly string[],
): Sql => sql`delete from ${table(org, object)} where ${pointsTo(field, prefixes)}`

/** Deletes the permissions on an object that goes, or on one of its fields: what is deployed under the name later is something else. */
export function deleteGrants(org: Org, object: string, field?: string): Sql[] {
  const grants = (name: string) => sql.id(org.schemaName, name)
  const quoted = (text: string) => sql.raw(quoteText(text.toLowerCase()))
  const onField = field === undefined ? sql`` : sql` and lower(field) = ${quoted(`${object}.${field}`)}`
  const ofObject = sql`lower(sobjecttype) = ${quoted(object)}`
  return [
    ...(field === undefined ? [sql`delete from ${grants('objectpermissions')} where ${ofObject}`] : []),
    sql`delete from ${grants('fieldpermissions')} where ${ofObject}${onField}`,
    ...metadataSql.bumpAccess(org),
  ]
}

/** True if a reference is the id of a record of objects with these prefixes. */
function pointsTo(field: Field, prefixes: readonly string[]): Sql {
  const gone = sql.raw(`array[${prefixes.map(quoteText).join(', ')}]`)
  return sql`left(${sql.id(field.column!)}, 3) = any(${gone})`
}

/** Makes the creator the owner of each record of an object that had no owners. */
export const ownByCreator = (org: Org, object: ObjectType): Sql =>
  sql`update ${table(org, object)} set ownerid = createdbyid`
