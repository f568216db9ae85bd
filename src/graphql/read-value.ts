import type { FieldTypeName } from '../schema/definition.ts'
import type { Field } from '../schema/field.ts'
import type { Reading } from '../schema/record-shape.sql.ts'
import { formatValue, labelOf } from '../soql/present-value.ts'
import type { ColumnValue } from '../storage/db.ts'
import type { Selected } from './collect-fields.ts'
import { constant, type Read, readObject } from './read-object.ts'
import { FORMATTED } from './types/value-types.ts'
import type { ValueKind } from './value-kind.ts'

type Known = Exclude<ColumnValue, null>

/** How a kind is written where it is not written as it is stored. (contract/graphql 3.5 "JSON") */
const WRITTEN: Partial<Record<ValueKind, (value: Known, field: Field | undefined) => unknown>> = {
  DateTime: (value) => `${String(value).slice(0, 10)}T${String(value).slice(11, 19)}.000Z`,
  Time: (value, field) => (field === undefined ? value : field.type.read!(value, '', field)),
}

/** The type of fields that a kind is formatted like, where it is not a bare number. */
const FORMATTED_LIKE: Partial<Record<ValueKind, FieldTypeName>> = {
  Currency: 'currency',
  Percent: 'percent',
  Date: 'date',
  DateTime: 'datetime',
  Time: 'time',
}

const LISTED: readonly ValueKind[] = ['Picklist', 'MultiPicklist']

/** What a wrapper's member shows of a stored value. */
type Show = (value: Known, reading: Reading) => unknown

function showOf(member: string, kind: ValueKind, field: Field | undefined): Show | undefined {
  const label: Show = (value) => (field === undefined ? value : labelOf(field, String(value)))
  const format: Show = (value, reading) => formatValue(FORMATTED_LIKE[kind], value, reading)
  switch (member) {
    case 'value': {
      const write = WRITTEN[kind]
      return write && ((value) => write(value, field))
    }
    case 'label':
      return label
    case 'format':
      return format
    default:
      if (LISTED.includes(kind)) return label
      return FORMATTED.includes(kind) ? format : () => null
  }
}

/**
 * One member of a wrapped value: `value`, `displayValue`, `label` or `format`.
 * @param column the value's place in the row
 */
export function readShown(member: string, kind: ValueKind, field: Field | undefined, column: number): Read {
  const show = showOf(member, kind, field)
  if (show === undefined) return (row) => row[column]
  return (row, reading) => {
    const value = row[column]!
    return value === null ? null : show(value, reading)
  }
}

/**
 * A wrapped value. (contract/graphql 3.5)
 * @param selected what is asked of the wrapper
 * @param column its place in the row; undefined: it is null
 */
export function readValue(
  selected: readonly Selected[],
  kind: ValueKind,
  field: Field | undefined,
  column: number | undefined,
  typeName = `${kind}Value`,
): Read {
  const members = selected.map(({ key, name }): readonly [string, Read] => {
    if (name === '__typename') return [key, constant(typeName)]
    return [key, column === undefined ? constant(null) : readShown(name, kind, field, column)]
  })
  return readObject(members)
}
