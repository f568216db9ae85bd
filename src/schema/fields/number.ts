import { ApiError } from '../../base/api-error.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from './field.ts'
import type { FieldDefinition } from './field-definition.ts'
import { type FieldType, WrongKind } from './field-type.ts'
import { FORMULA, KEY, STORED } from './type-in-files.ts'

const NUMERIC = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/

/** A number, or a text that reads as one; an empty text is null. (docs/reference/api/records.md#field-values) */
export function coerceNumber(value: unknown, kind: string): number | null {
  if (typeof value === 'string') {
    const text = value.trim()
    if (text === '') return null
    if (NUMERIC.test(text)) return coerceNumber(Number(text), kind)
  } else if (typeof value === 'number' && Number.isFinite(value)) {
    return value
  }
  throw new WrongKind(kind)
}

/** @param value undefined: it is not quoted */
export function outOfRange(field: Field, value?: unknown): ApiError {
  return new ApiError(
    'NUMBER_OUTSIDE_VALID_RANGE',
    `${field.label}: value outside of valid range on numeric field${value === undefined ? '' : `: ${value}`}`,
    { fields: [field.name] },
  )
}

const precisionOf = (field: FieldDefinition) => field.precision ?? 18
const scaleOf = (field: FieldDefinition) => field.scale ?? 0

/** The bound of a coordinate, which is a part of a location or an address; undefined: it is no coordinate. */
function boundOf({ name, compound }: FieldDefinition): number | undefined {
  if (compound === undefined) return undefined
  return /Latitude(__s)?$/.test(name) ? 90 : /Longitude(__s)?$/.test(name) ? 180 : undefined
}

/** Rounds half away from zero at the field's scale, as numeric columns do. */
function round(value: number, scale: number): number {
  const magnitude = Math.abs(value)
  if (magnitude >= 1e15) return value
  const rounded = Number(`${Math.round(Number(`${magnitude}e${scale}`))}e-${scale}`)
  if (Number.isNaN(rounded)) return Number(value.toFixed(scale))
  return value < 0 ? -rounded : rounded
}

/** Numbers below ten million with so many decimals are the same as doubles. */
const MAX_EXACT_SCALE = 8

/** `1.15056052E8`; PostgreSQL has no exponents of its own for most of them. */
function withExponent(v: Sql): Sql {
  const digits = sql`(select ltrim(replace(n::text, '.', ''), '0') as d, scale(n) as decimals from (select abs(${v})::float8::text::numeric as n) u) w`
  return sql`(select case when ${v} < 0 then '-' else '' end || left(d, 1) || '.' || coalesce(nullif(rtrim(substr(d, 2), '0'), ''), '0') || 'E' || length(d) - 1 - decimals from ${digits})`
}

/** Returns the form of a number in answers, where it is a double. (base/decimal-json.ts) */
export function csvText(column: Sql, { definition, formula }: Field): Sql {
  const write = (v: Sql, plain: Sql) =>
    sql`case when ${v} = 0 or abs(${v}) >= 1e-3 and abs(${v}) < 1e7 then ${plain}::text || case when ${v} = trunc(${v}) then '.0' else '' end else ${withExponent(v)} end`
  const isExact = formula === undefined && scaleOf(definition) <= MAX_EXACT_SCALE
  if (isExact) return write(column, sql`trim_scale(${column})`)
  return sql`(select ${write(sql`v`, sql`v`)} from (select ${column}::float8 as v offset 0) f)`
}

/** The label of a type, with the digits before and after the point. */
const labelWithDigits =
  (name: string) =>
  ({ definition }: Field): string =>
    `${name}(${precisionOf(definition) - scaleOf(definition)}, ${scaleOf(definition)})`

type DecimalType = Pick<FieldType, 'graphql'> & Partial<Omit<FieldType, 'name' | 'label'>>

/**
 * The decimal types differ in their names and in how they are shown.
 * @param scale the digits after the point where a definition file does not say them
 */
export function decimalType(
  name: 'double' | 'currency' | 'percent',
  label: string,
  scale: number,
  differences: DecimalType,
): FieldType {
  return {
    name,
    label: labelWithDigits(label),
    describedAs: name,
    soapType: 'xsd:double',
    typescript: 'number',
    file: {
      properties: [...FORMULA, 'rollUp', ...STORED, ...KEY, 'precision', 'scale'],
      defaults: { precision: 18, scale },
      default: 'number',
    },
    sourceFormat: {
      name: label,
      reads: ['digits', 'required', 'key'],
      write: (field) => ({ precision: field.precision, scale: field.scale }),
    },
    inColumns: undefined,
    history: { dataType: label, jsonText: csvText },
    decimal: true,
    parameter: 'numeric',
    csvText,
    column: (field) => `numeric(${precisionOf(field)}, ${scaleOf(field)})`,
    coerce(value, field) {
      const number = coerceNumber(value, name)
      return number === null ? null : round(number, scaleOf(field.definition))
    },
    validate(value, field) {
      const { definition } = field
      const magnitude = Math.abs(value as number)
      const isTooLong = magnitude >= 10 ** (precisionOf(definition) - scaleOf(definition))
      if (isTooLong || magnitude > (boundOf(definition) ?? Infinity)) throw outOfRange(field, value)
    },
    literal: 'double',
    rollUp: { result: name, hasSum: true },
    formula: { type: 'Number', isResult: true },
    operators: ['equality', 'order'],
    sortable: true,
    groupable: false,
    aggregatable: true,
    facts: (field) => ({ precision: precisionOf(field), scale: scaleOf(field) }),
    ...differences,
  }
}
