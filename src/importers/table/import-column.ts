import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { FieldType } from '../../schema/fields/field-type.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { NotePad } from '../notes.ts'
import type { ConstraintRow } from './catalog.sql.ts'
import { mapColumn } from './column-types.ts'
import { foreignKey, type NamedTable, titled } from './named-table.ts'
import type { Column } from './read-table.ts'

const ON_DELETE: Readonly<Record<string, FieldFile['onDelete']>> = {
  a: 'restrict',
  r: 'restrict',
  c: 'cascade',
}

/** `'text'::type`, with `''` for a quote inside. */
const QUOTED = /^'((?:[^']|'')*)'(?:::.+)?$/s
const NUMBER = /^\(?(-?\d+(?:\.\d+)?)\)?(?:::.+)?$/

/** The constant default of a column; undefined when it must be computed. */
function readColumnDefault({ literal }: FieldType, text: string): string | number | boolean | undefined {
  if (literal === 'boolean') return /^(?:true|false)$/.test(text) ? text === 'true' : undefined
  const quoted = QUOTED.exec(text)?.[1]?.replaceAll("''", "'")
  if (literal !== 'double') return quoted
  const number = NUMBER.exec(quoted ?? text)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** The reference that a foreign key becomes when its target is imported too. */
function readForeignKey(
  table: NamedTable,
  key: ConstraintRow,
  tables: readonly NamedTable[],
  pad: NotePad,
): FieldFile | undefined {
  const column = key.columns![0]!
  const target = tables.find(({ location }) => location === key.target)
  if (target === undefined) {
    pad.add(
      'reference',
      `${table.object}.${table.fields.get(column)}`,
      `to the table ${key.target}: --table ${key.target} imports it too`,
    )
    return undefined
  }
  const others = table.constraints.filter((other) => other.kind === 'f' && other.target === key.target)
  const by = others.length > 1 ? `_by_${titled(column, 'Key')}` : ''
  const onDelete = ON_DELETE[key.onDelete]
  if (key.onDelete === 'd') pad.add('constraint', `${table.object}.${key.name}`, key.definition)
  return {
    type: 'reference',
    to: target.object,
    children: `${titled(table.name, 'Rows')}${by}__r`,
    ...(onDelete !== undefined && { onDelete }),
  }
}

/** Uniqueness from primary keys and unique constraints of the column alone. */
function readKey(table: NamedTable, column: Column, { file }: FieldType, pad: NotePad): FieldFile {
  const keys = table.constraints.filter(
    ({ kind, columns }) => 'pu'.includes(kind) && columns?.length === 1 && columns[0] === column.name,
  )
  if (keys.length === 0) return {}
  if (!file!.properties.includes('unique')) {
    for (const { name, definition } of keys) pad.add('constraint', `${table.object}.${name}`, definition)
    return {}
  }
  const caseSensitive =
    file!.properties.includes('caseSensitive') && column.type !== 'uuid' && column.typeName !== 'citext'
  const isPrimary = keys.some(({ kind }) => kind === 'p')
  return { unique: true, ...(caseSensitive && { caseSensitive }), ...(isPrimary && { externalId: true }) }
}

function readDefault(column: Column, type: FieldType, location: string, pad: NotePad): FieldFile {
  const text = column.identity ? 'a number that the table counts' : column.default
  if (text === null || /^NULL(::|$)/.test(text) || column.generated !== null) return {}
  // A key of another database is not a record id.
  const isKey = column.identity || type.refers === true
  const hasDefault = type.file!.default !== undefined
  const value = isKey || !hasDefault ? undefined : readColumnDefault(type, text)
  if (value !== undefined) return value === false ? {} : { default: value }
  pad.add('default', location, text)
  return {}
}

/** Makes the field of a column. `tables` are all imported tables. */
export function importColumn(
  table: NamedTable,
  column: Column,
  tables: readonly NamedTable[],
  pad: NotePad,
): FieldFile {
  const location = `${table.object}.${table.fields.get(column.name)}`
  if (column.generated !== null) pad.add('formula', location, column.generated)
  const key = foreignKey(table, column.name)
  const reference = key && readForeignKey(table, key, tables, pad)
  const { field, otherwise } = reference ? { field: reference, otherwise: undefined } : mapColumn(column)
  if (otherwise !== undefined) pad.add('type', location, otherwise)
  // The database fills these columns, so clients do not have to send them.
  const isFilled = column.identity || column.default !== null || column.generated !== null
  const type = FIELD_TYPES[field.type!]
  const defaultValue = readDefault(column, type, location, pad)
  const required =
    !column.nullable &&
    type.file!.properties.includes('required') &&
    (!isFilled || defaultValue.default !== undefined)
  return {
    ...field,
    ...(column.comment !== null && { description: column.comment }),
    ...(required && { required: true }),
    ...readKey(table, column, type, pad),
    ...defaultValue,
  }
}
