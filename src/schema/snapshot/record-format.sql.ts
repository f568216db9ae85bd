import { asDecimal, decimalText, withoutText } from '../../base/decimal-json.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import { quoteJson } from '../../base/json.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { Row } from '../../storage/database/db.ts'
import { bothUses, fieldValue, USE_SEPARATOR } from '../fields/column.sql.ts'
import type { Field, RowSource } from '../fields/field.ts'
import { maxBytes } from '../fields/max-bytes.ts'
import type { ObjectType } from '../objects/object-type.ts'

/** A record in its JSON form: `attributes` first, then the members in the requested order. */
export type RecordBody = Record<string, unknown>

/** @param recordId id of the record that contains the value */
export type OpenValue = (stored: string, object: ObjectType, field: Field, recordId: string) => string | null

/** Context that decoding a row needs. */
export interface DecodeContext {
  /** `/services/data/v64.0`: the start of record URLs. */
  readonly versionPath: string
  /** `https://acme.example.org`: what stands before it in addresses that are followed from elsewhere. */
  readonly origin: string
  /** The user's locale and time zone, for formatted values. */
  readonly locale?: string
  readonly timeZone?: string
  /** Decrypts or masks an encrypted value for the caller; null when it cannot be decrypted. */
  readonly open: OpenValue
  /** Numbers come without a text of their own. */
  readonly hasNumbers?: boolean | undefined
  /** Collects the rest of nested results that do not fit into a page. */
  readonly overflow?: unknown[]
  readonly path?: readonly number[]
}

/** A member of a record other than a field: a parent, child records, a computed value. */
export interface ShapeMember {
  readonly name: string
  readonly columns: readonly Sql[]
  /** Maximum size in an answer, in bytes. */
  readonly bytes: number
  /** Decodes the member from its columns, which start at `at`; `recordId` is the id of the containing record. */
  readonly read: (row: Row, at: number, decoding: DecodeContext, recordId: string) => unknown
  /** The same as JSON, if that is faster than to write what `read` returns. */
  readonly write?: (row: Row, at: number, decoding: DecodeContext) => string
}

/** Reads one member of a record from a row in which the record starts at `offset`. */
type Reader = (row: Row, offset: number, recordUrl: string, decoding: DecodeContext) => unknown

/** Writes one member of a record as JSON. */
type Writer = (row: Row, offset: number, recordUrl: string, decoding: DecodeContext) => string

interface SelectedField {
  readonly columns: readonly Sql[]
  /** Undefined when the value in the row needs no conversion. */
  readonly read?: Reader | undefined
  /** Undefined: what was read is written. */
  readonly write?: Writer | undefined
  /** Index of its first column. */
  readonly position: number
}

const columnOf = (name: string, table: string | undefined) =>
  table === undefined ? sql.id(name) : sql.id(table, name)

function selectColumn(field: Field, row: RowSource): Sql {
  const column = fieldValue(field, row)
  return field.type.selected?.(column) ?? column
}

function selectField(field: Field, position: number, row: RowSource, object: ObjectType): SelectedField {
  const { compose, read, encrypted, decimal } = field.type
  if (compose !== undefined) {
    let next = position
    const parts = field.parts.map((part) => selectField(part, next++, row, object))
    return {
      columns: parts.flatMap((part) => part.columns),
      position,
      read: (row, offset, recordUrl, decoding) =>
        compose(parts.map((part) => readPart(part, row, offset, recordUrl, decoding))),
    }
  }
  if (encrypted !== undefined) {
    return {
      columns: [selectColumn(field, row)],
      position,
      read: (row, offset, _recordUrl, { open }) => {
        const value = row[offset + position] as string | null
        return value === null ? null : open(value, object, field, row[offset] as string)
      },
    }
  }
  if (decimal === true) {
    return {
      columns: [selectColumn(field, row)],
      position,
      read: (row, offset, _recordUrl, { hasNumbers }) => {
        const value = row[offset + position] as number | null
        return value === null || hasNumbers === true ? value : asDecimal(value)
      },
      write: (row, offset) => {
        const value = row[offset + position] as number | null
        return value === null ? 'null' : decimalText(value)
      },
    }
  }
  return {
    columns: [selectColumn(field, row)],
    position,
    read:
      read &&
      ((row, offset, recordUrl, { origin, hasNumbers }) => {
        const value = row[offset + position]!
        if (value === null) return null
        const shown = read(value, recordUrl, field, origin)
        return hasNumbers === true ? withoutText(shown) : shown
      }),
  }
}

function readPart(
  { read, position }: Pick<SelectedField, 'read' | 'position'>,
  ...[row, offset, recordUrl, decoding]: Parameters<Reader>
): unknown {
  return read === undefined ? row[offset + position] : read(row, offset, recordUrl, decoding)
}

function select(
  member: Field | ShapeMember,
  position: number,
  row: RowSource,
  object: ObjectType,
): SelectedField {
  if (!('type' in member)) {
    return {
      columns: member.columns,
      position,
      read: (row, offset, _recordUrl, decoding) =>
        member.read(row, offset + position, decoding, row[offset] as string),
      write:
        member.write &&
        ((row, offset, _recordUrl, decoding) => member.write!(row, offset + position, decoding)),
    }
  }
  if (member.name === 'Id') return { columns: [], position: 0 }
  return selectField(member, position, row, object)
}

const isUse = (member: Field | ShapeMember): member is Field =>
  'type' in member && member.definition.recent !== undefined

/** Decodes one of the two times of `bothUses` at a position. */
function selectUse(field: Field, position: number, columns: readonly Sql[]): SelectedField {
  const part = field.definition.recent === 'viewed' ? 0 : 1
  return {
    columns,
    position,
    read: (row, offset, recordUrl) => {
      const time = (row[offset + position] as string | null)?.split(USE_SEPARATOR)[part]
      return time ? field.type.read!(time, recordUrl, field) : null
    },
  }
}

/** Texts are most of what records have. */
const writeValue = (value: unknown): string =>
  typeof value === 'string' ? quoteJson(value) : value === null ? 'null' : JSON.stringify(value)

/** Writes what the column has, or what a reader makes of it. */
const makeWriter = ({ position, read, write }: SelectedField): Writer =>
  write ??
  (read === undefined
    ? (row, offset) => writeValue(row[offset + position])
    : (row, offset, recordUrl, decoding) => writeValue(read(row, offset, recordUrl, decoding)))

interface ShapeOptions {
  /** Alias of the object's table where a statement has several. */
  readonly table?: string
  /** The row that formulas read; that of the table when absent. */
  readonly row?: RowSource
  /** The object of a record by its id, behind a reference to several objects. */
  readonly objectNameOf?: (id: string) => string
}

/** Of the type and the address in a record's `attributes`, in bytes. */
const ATTRIBUTES_BYTES = 150

/**
 * The select list for the members of an object, and the decoding of its rows. The list always starts with the id, which
 * the record's URL needs; the record has `Id` only if it is a member.
 */
export class RecordFormat {
  readonly object: ObjectType
  /** SQL expressions of the select list. */
  readonly columns: readonly Sql[]
  /** Maximum size of a record in an answer, in bytes, and how many times each column stands there. */
  readonly width: { readonly bytes: number; readonly weights: readonly number[] }
  readonly #names: readonly string[]
  readonly #positions: readonly number[]
  readonly #readers: readonly (Reader | undefined)[]
  readonly #writers: readonly Writer[]
  /** The JSON before each member, and before the address of the record. */
  readonly #keys: readonly string[]
  readonly #begin: string
  /** Every record starts as a copy of this one, so that all share one hidden class, which is faster to fill and serialize. */
  readonly #blank: RecordBody
  readonly #objectNameOf: ((id: string) => string) | undefined

  /** @param members the members of the record, in order */
  constructor(object: ObjectType, members: readonly (Field | ShapeMember)[], options: ShapeOptions = {}) {
    this.object = object
    const { table, row = { alias: table } } = options
    const columns = [columnOf('id', table)]
    const hasBothUses = members.filter(isUse).length === 2
    let usesAt: number | undefined
    const selectOne = (member: Field | ShapeMember): SelectedField => {
      if (!hasBothUses || !isUse(member)) return select(member, columns.length, row, object)
      if (usesAt !== undefined) return selectUse(member, usesAt, [])
      usesAt = columns.length
      return selectUse(member, usesAt, [bothUses(table)])
    }
    const selected = members.map((member) => {
      const one = selectOne(member)
      columns.push(...one.columns)
      return one
    })
    this.columns = columns
    const bytes = members.map((member) => ('type' in member ? maxBytes(member) : member.bytes))
    this.width = {
      bytes: bytes.reduce((total, one) => total + one, ATTRIBUTES_BYTES),
      weights: columns.map(() => 1),
    }
    this.#names = members.map((member) => member.name)
    this.#positions = selected.map(({ position }) => position)
    this.#readers = selected.map(({ read }) => read)
    this.#writers = selected.map(makeWriter)
    this.#keys = this.#names.map((name) => `,${JSON.stringify(name)}:`)
    this.#begin = `{"attributes":{"type":${JSON.stringify(object.name)},"url":"`
    this.#blank = { attributes: null, ...Object.fromEntries(this.#names.map((name) => [name, null])) }
    this.#objectNameOf = options.objectNameOf
  }

  /** The record in the columns of `row` from `offset` on; null when its id is null (an outer join without a match). */
  read(row: Row, offset: number, decoding: DecodeContext): RecordBody | null {
    const id = row[offset] as string | null
    if (id === null) return null
    const url = this.#makeUrl(id, decoding)
    const record: RecordBody = { ...this.#blank }
    record.attributes = { type: this.object.name, url }
    const names = this.#names
    for (let i = 0; i < names.length; i++) {
      const read = this.#readers[i]
      record[names[i]!] =
        read === undefined ? row[offset + this.#positions[i]!] : read(row, offset, url, decoding)
    }
    return record
  }

  /** The same as JSON: that is faster than to make the record first, above all where numbers have texts of their own. */
  write(row: Row, offset: number, decoding: DecodeContext): string {
    const id = row[offset] as string | null
    if (id === null) return 'null'
    const url = this.#makeUrl(id, decoding)
    let text = `${this.#begin}${url}"}`
    const keys = this.#keys
    for (let i = 0; i < keys.length; i++) {
      text += keys[i]! + this.#writers[i]!(row, offset, url, decoding)
    }
    return `${text}}`
  }

  #makeUrl(id: string, { versionPath }: DecodeContext): string {
    return `${versionPath}/sobjects/${this.#objectNameOf?.(id) ?? this.object.name}/${id}`
  }
}

/** All fields of an object in describe order. */
export const fullRecordFormat = oncePer((object: ObjectType) => new RecordFormat(object, object.fields))
