import type { FieldTypeName } from '../../schema/definitions/definition.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { DecodeContext } from '../../schema/snapshot/record-format.sql.ts'
import { formatValue, getLabel } from '../../soql/compile/present-value.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import type { Selected } from '../document/collect-fields.ts'
import { FORMATTED } from '../types/value-types.ts'
import { NUMBERS, type ValueKind } from '../values/value-kind.ts'
import { bare, plainText, quoted, Template, type Write } from './template.ts'

type Known = Exclude<ColumnValue, null>

/** The type of fields that a kind is formatted like, where it is not a bare number. */
const FORMATTED_LIKE: Partial<Record<ValueKind, FieldTypeName>> = {
  Currency: 'currency',
  Percent: 'percent',
  Date: 'date',
  DateTime: 'datetime',
  Time: 'time',
}

const LISTED: readonly ValueKind[] = ['Picklist', 'MultiPicklist']
const BARE: readonly ValueKind[] = ['Boolean', ...NUMBERS]

/** Something shown of a value that is there. */
const shown =
  (column: number, show: (value: Known, decodeContext: DecodeContext) => string): Write =>
  (row, decodeContext) => {
    const value = row[column]!
    return value === null ? 'null' : JSON.stringify(show(value, decodeContext))
  }

/** `2026-11-20T21:30:00.000Z`, however the database wrote the moment. */
const timestamp =
  (column: number): Write =>
  (row) => {
    const value = row[column] as string | null
    return value === null ? 'null' : `"${value.slice(0, 10)}T${value.slice(11, 19)}.000Z"`
  }

/** A stored value as the kind is written. (docs/reference/api/graphql.md#values) */
function writeStored(kind: ValueKind, field: Field | undefined, column: number): Write {
  if (BARE.includes(kind)) return bare(column)
  switch (kind) {
    case 'ID':
    case 'Date':
      return plainText(column)
    case 'DateTime':
      return timestamp(column)
    case 'Time':
      return shown(column, (value) =>
        field === undefined ? String(value) : String(field.type.read!(value, '', field)),
      )
    default:
      return quoted(column)
  }
}

/**
 * One member of a wrapped value: `value`, `displayValue`, `label` or `format`; undefined: it is null.
 * @param column the value's place in the row
 */
function writeMember(
  name: string,
  kind: ValueKind,
  field: Field | undefined,
  column: number,
): Write | undefined {
  const label = () =>
    shown(column, (value) => (field === undefined ? String(value) : getLabel(field, String(value))))
  const format = () =>
    shown(column, (value, decodeContext) => formatValue(FORMATTED_LIKE[kind], value, decodeContext))
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
export function memberTemplate(
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
 * @param selected what is asked of the wrapper
 * @param column its place in the row; undefined: it is null
 * @param typeName of the wrapper
 */
export function valueTemplate(
  selected: readonly Selected[],
  kind: ValueKind,
  field: Field | undefined,
  column: number | undefined,
  typeName = `${kind}Value`,
): Template {
  return Template.object(
    selected.map(({ key, name }): readonly [string, Template] => [
      key,
      name === '__typename' ? Template.constant(typeName) : memberTemplate(name, kind, field, column),
    ]),
  )
}
