import { getOrInsert } from '../base/get-or-insert.ts'
import { type Sql, sql } from '../base/sql.ts'
import type { Row } from '../storage/db.ts'
import type { Field } from './field.ts'
import type { ObjectType } from './object-type.ts'

/** A record as the wire shows it: `attributes` first, then the fields in the order asked for. */
export type RecordBody = Record<string, unknown>

/** Reads one member of a record from a row in which the record starts at `offset`. */
type Reader = (row: Row, offset: number, recordUrl: string, versionPath: string) => unknown

interface SelectedField {
  readonly columns: readonly Sql[]
  readonly read: Reader
}

/** A parent record inside a record, under the name of its relationship. */
export interface ParentShape {
  readonly name: string
  readonly shape: RecordShape
}

const columnOf = (name: string, table: string | undefined) =>
  table === undefined ? sql.id(name) : sql.id(table, name)

function selectColumn(field: Field, table: string | undefined): Sql {
  const column = columnOf(field.column!, table)
  return field.type.selected?.(column) ?? column
}

function selectField(field: Field, position: number, table: string | undefined): SelectedField {
  const { compose, read } = field.type
  if (compose !== undefined) {
    let next = position
    const parts = field.parts.map((part) => selectField(part, next++, table))
    return {
      columns: parts.flatMap((part) => part.columns),
      read: (row, offset, recordUrl, versionPath) =>
        compose(parts.map((part) => part.read(row, offset, recordUrl, versionPath))),
    }
  }
  return {
    columns: [selectColumn(field, table)],
    read:
      read === undefined
        ? (row, offset) => row[offset + position]
        : (row, offset, recordUrl) => {
            const value = row[offset + position]!
            return value === null ? null : read(value, recordUrl, field)
          },
  }
}

function select(member: Field | ParentShape, position: number, table: string | undefined): SelectedField {
  if ('shape' in member) {
    const { shape } = member
    return {
      columns: shape.columns,
      read: (row, offset, _recordUrl, versionPath) => shape.read(row, offset + position, versionPath),
    }
  }
  if (member.name === 'Id') return { columns: [], read: (row, offset) => row[offset] }
  return selectField(member, position, table)
}

/**
 * How fields of one object stand in a select list and become a record. The list always starts with the id, which the
 * record's address needs; whether `Id` is shown is up to the fields.
 */
export class RecordShape {
  readonly object: ObjectType
  /** SQL expressions of the select list. */
  readonly columns: readonly Sql[]
  readonly #names: readonly string[]
  readonly #readers: readonly Reader[]

  /**
   * @param members what the record shows, in this order
   * @param table alias of the object's table where a statement has several
   */
  constructor(object: ObjectType, members: readonly (Field | ParentShape)[], table?: string) {
    this.object = object
    const columns = [columnOf('id', table)]
    const readers: Reader[] = []
    for (const member of members) {
      const selected = select(member, columns.length, table)
      columns.push(...selected.columns)
      readers.push(selected.read)
    }
    this.columns = columns
    this.#names = members.map((member) => member.name)
    this.#readers = readers
  }

  /**
   * The record in the columns of `row` from `offset` on; null when its id is (an outer join that found nothing).
   * @param versionPath `/services/data/v64.0`
   */
  read(row: Row, offset: number, versionPath: string): RecordBody | null {
    const id = row[offset]
    if (id === null) return null
    const { name } = this.object
    const url = `${versionPath}/sobjects/${name}/${id}`
    const record: RecordBody = { attributes: { type: name, url } }
    const names = this.#names
    const readers = this.#readers
    for (let i = 0; i < names.length; i++) record[names[i]!] = readers[i]!(row, offset, url, versionPath)
    return record
  }
}

const whole = new WeakMap<ObjectType, RecordShape>()

/** All fields of an object in describe order. */
export function wholeRecordShape(object: ObjectType): RecordShape {
  return getOrInsert(whole, object, () => new RecordShape(object, object.fields))
}
