import { withoutText } from '../../base/decimal-json.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { DisplayFormat } from '../../schema/fields/field-type.ts'
import type { DecodeContext } from '../../schema/snapshot/record-format.sql.ts'
import { formatValue, getLabel } from '../../soql/compile/present-value.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import type { Selected } from '../document/collect-fields.ts'
import { FORMATTED } from '../types/value-types.ts'
import { NUMBERS, type ValueKind } from '../values/value-kind.ts'
import { Template, type Write, writeBare, writePlainText, writeQuoted } from './template.ts'

type Known = Exclude<ColumnValue, null>

/** How a kind is shown, except plain numbers. */
const DISPLAYED_AS: Partial<Record<ValueKind, DisplayFormat>> = {
  Currency: 'currency',
  Percent: 'percent',
  Date: 'date',
  DateTime: 'dateTime',
  Time: 'time',
}

const LISTED: readonly ValueKind[] = ['Picklist', 'MultiPicklist']
const BARE: readonly ValueKind[] = ['Boolean', ...NUMBERS]

/** A display form of a value; null stays null. */
const writeShown =
  (column: number, show: (value: Known, decodeContext: DecodeContext) => string): Write =>
  (row, decodeContext) => {
    const value = row[column]!
    return value === null ? 'null' : JSON.stringify(show(value, decodeContext))
  }

/** Converts the database's timestamp to `2026-11-20T21:30:00.000Z`. */
const writeTimestamp =
  (column: number): Write =>
  (row) => {
    const value = row[column] as string | null
    return value === null ? 'null' : `"${value.slice(0, 10)}T${value.slice(11, 19)}.000Z"`
  }

/** The text of a value of any kind. */
function writeText(field: Field, value: Known): string {
  const { read, writeText } = field.type
  const shown = read === undefined ? value : read(value, '', field)
  return writeText === undefined ? String(withoutText(shown)) : writeText(shown)
}

/** The stored value in the form of its kind. (docs/reference/api/graphql.md#values) */
function writeStored(kind: ValueKind, field: Field | undefined, column: number): Write {
  if (BARE.includes(kind)) return writeBare(column)
  switch (kind) {
    case 'ID':
    case 'Date':
      return writePlainText(column)
    case 'DateTime':
      return writeTimestamp(column)
    case 'Time':
      return writeShown(column, (value) =>
        field === undefined ? String(value) : String(field.type.read!(value, '', field)),
      )
    default:
      return field?.type.describedAs === 'anyType'
        ? writeShown(column, (value) => writeText(field, value))
        : writeQuoted(column)
  }
}

/**
 * One member of a wrapped value: `value`, `displayValue`, `label` or `format`; undefined: it is null.
 * @param column index of the value in the row
 */
function writeMember(
  name: string,
  kind: ValueKind,
  field: Field | undefined,
  column: number,
): Write | undefined {
  const label = () =>
    writeShown(column, (value) => (field === undefined ? String(value) : getLabel(field, String(value))))
  const format = () =>
    writeShown(column, (value, decodeContext) => formatValue(DISPLAYED_AS[kind], value, decodeContext))
  switch (name) {
    case 'value':
      return writeStored(kind, field, column)
    case 'label':
      return label()
    case 'format':
      return format()
    default:
      if (LISTED.includes(kind)) return label()
      return FORMATTED.includes(kind) ? format() : undefined
  }
}

/** One member of a wrapped value by its name. */
export function makeMemberTemplate(
  name: string,
  kind: ValueKind,
  field: Field | undefined,
  column: number | undefined,
): Template {
  const write = column === undefined ? undefined : writeMember(name, kind, field, column)
  return write === undefined ? Template.constant(null) : Template.hole(write)
}

/**
 * A wrapped value. (docs/reference/api/graphql.md#values)
 * @param selected fields of the wrapper
 * @param column index in the row; undefined if the value is always null
 * @param typeName of the wrapper
 */
export function makeValueTemplate(
  selected: readonly Selected[],
  kind: ValueKind,
  field: Field | undefined,
  column: number | undefined,
  typeName = `${kind}Value`,
): Template {
  return Template.object(
    selected.map(({ key, name }): readonly [string, Template] => [
      key,
      name === '__typename' ? Template.constant(typeName) : makeMemberTemplate(name, kind, field, column),
    ]),
  )
}
