import { rowRule, type Viewer } from '../../access/row-rules.sql.ts'
import type { RowLevel } from '../../access/sharing.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'

/** A letter for each right of a user on a record, in the order of the levels. */
const LETTERS = [
  ['HasReadAccess', 'Read', 'r'],
  ['HasEditAccess', 'Edit', 'e'],
  ['HasDeleteAccess', 'Delete', 'd'],
  ['HasTransferAccess', 'Transfer', 't'],
  ['HasAllAccess', 'All', 'a'],
] as const

/**
 * Selects the rights of a user on the record under an alias, as letters: the right on the object, and the rule for the record. There
 * are none while it is in the recycle bin.
 */
export function recordAccess(viewer: Viewer | undefined, object: ObjectType, alias: string): Sql {
  if (viewer === undefined) return sql`''`
  const { definition } = object
  const rights = viewer.access.rightsOn(object)
  if (!rights.read) return sql`''`
  const canEdit = rights.edit && definition.updateable !== false
  const canDelete = rights.delete && definition.deletable !== false
  const whole = requireObject(viewer.schema, object.name)
  const rule = (level: RowLevel) => rowRule(viewer, whole, alias, level) ?? sql`true`
  const full = [canDelete ? 'd' : '', canEdit ? 't' : '', canEdit && canDelete ? 'a' : ''].join('')
  const letters = [
    sql`case when rules.reads then 'r' end`,
    canEdit ? sql`case when rules.edits then 'e' end` : [],
    full === '' ? [] : sql`case when rules.does_all then ${sql.raw(`'${full}'`)} end`,
  ].flat()
  // With OFFSET each rule is evaluated once for a record.
  return sql`(select concat(${sql.join(letters)}) from (select not ${sql.id(alias, 'isdeleted')} as is_there, ${rule('read')} as reads,
              ${rule('edit')} as edits, ${rule('full')} as does_all offset 0) rules where rules.is_there)`
}

/** True if the letters of a record have one. */
const hasLetter = (letters: Sql, letter: string) =>
  sql`coalesce(${letters} like ${sql.raw(`'%${letter}%'`)}, false)`

/** The columns of `UserRecordAccess` by name, from the letters of a record. */
export const accessColumns = (letters: Sql): Readonly<Record<string, Sql>> => ({
  ...Object.fromEntries(
    LETTERS.map(([field, , letter]) => [field.toLowerCase(), hasLetter(letters, letter)]),
  ),
  maxaccesslevel: sql`case ${sql.join(
    LETTERS.toReversed().map(
      ([, level, letter]) => sql`when ${hasLetter(letters, letter)} then ${sql.raw(`'${level}'`)}`,
    ),
    ' ',
  )} else 'None' end`,
})

/** The value of a field of `UserRecordAccess` from the letters of a record; null: there are none. */
export function readAccess(field: string, letters: string | null, recordId: string): string | boolean {
  if (field === 'RecordId') return recordId
  const held = LETTERS.filter(([, , letter]) => letters?.includes(letter))
  if (field === 'MaxAccessLevel') return held.at(-1)?.[1] ?? 'None'
  return held.some(([name]) => name === field)
}
