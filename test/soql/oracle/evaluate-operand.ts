import type { Field } from '../../../src/schema/fields/field.ts'
import type { FieldRef, Operand } from '../../../src/soql/plan/plan.ts'
import { getPart, localTime } from './calendar.ts'
import { compareTexts, compareValues, fold } from './compare-values.ts'
import type { Asker, Row, Value, World } from './world.ts'

/** Returns the value of an operand, for a record or for a group of them. */
export type Worth = (operand: Operand) => Value

const EARTH = { km: 6371.0088, mi: 3958.7613 }
const radians = (degrees: number) => (degrees / 180) * Math.PI

/** Great-circle distance. (docs/reference/api/queries.md#distances) */
function haversine(a: readonly [number, number], b: readonly [number, number], radius: number): number {
  const half = (x: number, y: number) => Math.sin(radians(x - y) / 2) ** 2
  const h = half(a[0], b[0]) + Math.cos(radians(a[0])) * Math.cos(radians(b[0])) * half(a[1], b[1])
  return 2 * radius * Math.asin(Math.sqrt(Math.min(1, h)))
}

/** Latitude and longitude of a location; null when either is missing. */
export function coordinates(field: Field, row: Row | undefined): [number, number] | null {
  const [latitude, longitude] = field.parts.map((part) => row?.[part.name] ?? null)
  return typeof latitude === 'number' && typeof longitude === 'number' ? [latitude, longitude] : null
}

/** Of one record, as it is stored. A boolean is never null, of a parent that is not there neither. (contract 5.3) */
export function makeWorth(world: World, root: Row, asker: Asker): Worth {
  const fieldValue = ({ source, field }: FieldRef): Value =>
    world.reach(source, root)?.[field.name] ?? (field.type.name === 'boolean' ? false : null)
  const location = ({ source, field }: FieldRef) => coordinates(field, world.reach(source, root))
  return (operand) => {
    switch (operand.kind) {
      case 'field':
        return fieldValue(operand)
      case 'datePart':
        return datePart(operand, fieldValue(operand), asker)
      case 'distance': {
        const { to } = operand
        const from = location(operand)
        const there = 'latitude' in to ? ([to.latitude, to.longitude] as const) : location(to)
        return from && there && haversine(from, there, EARTH[operand.unit])
      }
      default:
        throw new Error(`one record has no ${operand.kind}`)
    }
  }
}

export function datePart(operand: Operand & { kind: 'datePart' }, value: Value, asker: Asker): Value {
  if (value === null) return null
  const timeZone = operand.zoned ? asker.timeZone : 'UTC'
  const { day, hour } =
    operand.field.type.name === 'date'
      ? { day: String(value), hour: 0 }
      : localTime(new Date(String(value)), timeZone)
  return getPart(operand.function, day, hour, asker.fiscalYear)
}

/** The field whose way of comparing an operand has: its own, or the one that MIN and MAX are taken of. */
export function comparedField(operand: Operand): Field | undefined {
  if (operand.kind === 'field') return operand.field
  if (operand.kind !== 'aggregate') return undefined
  return operand.function === 'MIN' || operand.function === 'MAX' ? operand.of?.field : undefined
}

/** A value, or a literal of a plan, in the form in which it is compared. */
export function comparable(operand: Operand, value: Value): Value {
  if (value === null) return null
  const field = comparedField(operand)
  switch (field?.type.literal) {
    case 'string':
      return field.definition.caseSensitive === true ? value : fold(String(value))
    case 'dateTime':
      return Date.parse(String(value))
    case 'time':
      return String(value).replace(/Z$/, '')
    case 'id':
    case 'date':
    case 'boolean':
      return value
    case undefined:
      return operand.kind === 'datePart' && operand.function === 'DAY_ONLY' ? value : Number(value)
    default:
      return Number(value)
  }
}

/** Picklists are sorted by their defined order, values that are not in it last; all else as it is compared. */
export function sortKey(operand: Operand, value: Value): Value {
  const field = comparedField(operand)
  if (value === null || field?.type.name !== 'picklist' || field.picklist.length === 0) {
    return comparable(operand, value)
  }
  const position = field.picklist.findIndex((entry) => entry.value === value)
  return position < 0 ? field.picklist.length : position
}

/** Of two values of one operand, which is sorted first; spellings of one text by their code points. */
export function compareExactly(operand: Operand, a: NonNullable<Value>, b: NonNullable<Value>): number {
  return (
    compareValues(sortKey(operand, a)!, sortKey(operand, b)!) ||
    compareValues(comparable(operand, a)!, comparable(operand, b)!) ||
    compareTexts(String(a), String(b))
  )
}
