import { ApiError } from '../../base/api-error.ts'
import type { FieldDefinition } from '../definitions/definition.ts'
import type { Field } from './field.ts'
import { type FieldType, WrongKind } from './field-type.ts'

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

export function outOfRange(value: unknown, field: Field): ApiError {
  return new ApiError(
    'NUMBER_OUTSIDE_VALID_RANGE',
    `${field.label}: value outside of valid range on numeric field: ${value}`,
    { fields: [field.name] },
  )
}

const precisionOf = (field: FieldDefinition) => field.precision ?? 18
const scaleOf = (field: FieldDefinition) => field.scale ?? 0

/** Rounds half away from zero at the field's scale, as numeric columns do. */
function round(value: number, scale: number): number {
  const magnitude = Math.abs(value)
  if (magnitude >= 1e15) return value
  const rounded = Number(`${Math.round(Number(`${magnitude}e${scale}`))}e-${scale}`)
  if (Number.isNaN(rounded)) return Number(value.toFixed(scale))
  return value < 0 ? -rounded : rounded
}

const GRAPHQL = { double: 'Double', currency: 'Currency', percent: 'Percent' } as const

/** The decimal types differ in their names and in how they are shown. */
export function decimalType(
  name: 'double' | 'currency' | 'percent',
  differences: Pick<FieldType, 'currency' | 'displayedAs' | 'rollUp'> = {},
): FieldType {
  return {
    name,
    graphql: GRAPHQL[name],
    describedAs: name,
    soapType: 'xsd:double',
    parameter: 'numeric',
    column: (field) => `numeric(${precisionOf(field)}, ${scaleOf(field)})`,
    coerce(value, field) {
      const number = coerceNumber(value, name)
      return number === null ? null : round(number, scaleOf(field.definition))
    },
    validate(value, field) {
      const { definition } = field
      if (Math.abs(value as number) >= 10 ** (precisionOf(definition) - scaleOf(definition))) {
        throw outOfRange(value, field)
      }
    },
    literal: 'double',
    rollUp: { result: name, hasSum: true },
    formula: { type: 'Number', isResult: true, ...(name === 'percent' && { isPercent: true }) },
    operators: ['equality', 'order'],
    sortable: true,
    groupable: false,
    aggregatable: true,
    facts: (field) => ({ precision: precisionOf(field), scale: scaleOf(field) }),
    ...differences,
  }
}
