import type { FiscalYear } from '../../base/fiscal-year.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import { comparableColumn } from '../../schema/change/ddl.sql.ts'
import { fieldValue } from '../../schema/fields/column.sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import type { DateFunction } from '../parse/function-names.ts'
import type { FieldRef, Location, Operand } from '../plan/plan.ts'

/** Operands as SQL expressions. They have no parameters, so an expression in SELECT equals the one in GROUP BY. */

export const columnOf = ({ source, field }: FieldRef): Sql => fieldValue(field, source)

/** A boolean of a missing parent counts as false. (docs/reference/api/queries.md#conditions) */
function comparableField(ref: FieldRef): Sql {
  if (ref.field.type.literal === 'boolean' && ref.source.via !== undefined) {
    return sql`coalesce(${columnOf(ref)}, false)`
  }
  return comparableColumn(ref.field, ref.source)
}

/** Extracts a part of a date. (docs/reference/api/queries.md#parts-of-dates) */
function datePart(part: DateFunction, at: Sql, { startMonth, isNamedByStart }: FiscalYear): Sql {
  const extract = (unit: string, from = at) => sql`extract(${sql.raw(unit)} from ${from})::integer`
  const fiscalMonth = sql`((${extract('month')} + ${sql.raw(String(12 - startMonth))}) % 12)`
  switch (part) {
    case 'CALENDAR_MONTH':
      return extract('month')
    case 'CALENDAR_QUARTER':
      return extract('quarter')
    case 'CALENDAR_YEAR':
      return extract('year')
    case 'DAY_IN_MONTH':
      return extract('day')
    case 'DAY_IN_WEEK':
      return sql`(${extract('dow')} + 1)`
    case 'DAY_IN_YEAR':
      return extract('doy')
    case 'DAY_ONLY':
      return sql`(${at})::date`
    case 'HOUR_IN_DAY':
      return extract('hour')
    case 'WEEK_IN_MONTH':
      return sql`((${extract('day')} - 1) / 7 + 1)`
    case 'WEEK_IN_YEAR':
      return sql`((${extract('doy')} - 1) / 7 + 1)`
    case 'FISCAL_MONTH':
      return sql`(${fiscalMonth} + 1)`
    case 'FISCAL_QUARTER':
      return sql`(${fiscalMonth} / 3 + 1)`
    case 'FISCAL_YEAR': {
      // `+ 0` keeps it distinct from CALENDAR_YEAR, or ROLLUP would treat the two as one key.
      if (startMonth === 1) return sql`(${extract('year')} + 0)`
      const months = isNamedByStart ? 1 - startMonth : 13 - startMonth
      const shifted = sql`(${at}) + interval '${sql.raw(String(months))} months'`
      return extract('year', shifted)
    }
  }
}

function dateOperand(operand: Operand & { kind: 'datePart' }, queryContext: QueryContext): Sql {
  const column = columnOf(operand)
  const zone = quoteText(operand.zoned ? queryContext.timeZone : 'UTC')
  const at =
    operand.field.type.literal === 'dateTime' ? sql`(${column} at time zone ${sql.raw(zone)})` : column
  return datePart(operand.function, at, queryContext.fiscalYear)
}

const EARTH_RADIUS = { km: 6371.0088, mi: 3958.7613 }

const selectCoordinates = ({ source, field }: FieldRef): [Sql, Sql] => {
  const [latitude, longitude] = field.type.coordinates!(field.parts)
  return [columnOf({ source, field: latitude }), columnOf({ source, field: longitude })]
}

const number = (value: number) => sql.raw(`(${value})::float8`)

/** Great-circle distance; null if a coordinate is null. (docs/reference/api/queries.md#distances) */
function distance(from: FieldRef, to: Location | FieldRef, unit: 'mi' | 'km'): Sql {
  const [latitude, longitude] = selectCoordinates(from)
  const [otherLatitude, otherLongitude] =
    'latitude' in to ? [number(to.latitude), number(to.longitude)] : selectCoordinates(to)
  const half = (a: Sql, b: Sql) => sql`power(sin(radians((${a} - ${b})::float8) / 2), 2)`
  const haversine = sql`${half(latitude, otherLatitude)} + cos(radians(${latitude}::float8)) * cos(radians((${otherLatitude})::float8)) * ${half(longitude, otherLongitude)}`
  // least() ignores nulls.
  const known = sql`num_nulls(${sql.join([latitude, longitude, otherLatitude, otherLongitude])}) = 0`
  return sql`(case when ${known} then 2 * ${number(EARTH_RADIUS[unit])} * asin(sqrt(least(1, ${haversine}))) end)`
}

/** Position in the picklist: values that are not listed come last. */
function picklistPosition(field: Field, column: Sql): Sql {
  const cases = field.picklist.map(
    (entry, index) => sql`when ${sql.raw(quoteText(entry.value))} then ${sql.raw(String(index))}`,
  )
  const last = sql.raw(String(field.picklist.length))
  return sql`case ${column} ${sql.join(cases, ' ')} else ${last} end`
}

const isOrderedPicklist = (field: Field) => field.type.sortedAsListed === true && field.picklist.length > 0

/** Returns the sort key of a field: picklists are sorted by their defined order. (docs/reference/api/queries.md#order-limit-and-offset) */
export function sortKey(operand: Operand, queryContext: QueryContext): Sql {
  if (operand.kind === 'field' && isOrderedPicklist(operand.field)) {
    const column = columnOf(operand)
    return sql`case when ${column} is not null then ${picklistPosition(operand.field, column)} end`
  }
  if (operand.kind === 'aggregate' && ['MIN', 'MAX'].includes(operand.function)) {
    return minOrMax(operand.function as 'MIN' | 'MAX', operand.of!, true)
  }
  return compareOperand(operand, queryContext)
}

/**
 * MIN and MAX in the sort order of the type. Text is appended to its sort key, so that the result
 * is one of the values.
 */
function minOrMax(name: 'MIN' | 'MAX', of: FieldRef, asKey: boolean): Sql {
  const { field } = of
  const column = columnOf(of)
  const call = sql.raw(name.toLowerCase())
  if (field.type.literal !== 'string') {
    return field.type.literal === 'id' ? sql`${call}(${column} collate "C")` : sql`${call}(${column})`
  }
  const key = isOrderedPicklist(field)
    ? sql`to_char(${picklistPosition(field, column)}, 'FM00000')`
    : comparableField(of)
  const chosen = sql`${call}((${key} || chr(1) || ${column}) collate "C")`
  return asKey
    ? sql`(split_part(${chosen}, chr(1), 1) collate "C")`
    : sql`(split_part(${chosen}, chr(1), 2) collate "default")`
}

function aggregate(operand: Operand & { kind: 'aggregate' }): Sql {
  const { function: name, of } = operand
  if (of === undefined) return sql`count(*)`
  switch (name) {
    case 'COUNT':
      return sql`count(${columnOf(of)})`
    case 'COUNT_DISTINCT':
      return sql`count(distinct ${comparableField(of)})`
    case 'SUM':
    case 'AVG':
      return sql`${sql.raw(name.toLowerCase())}(${columnOf(of)})`
    case 'MIN':
    case 'MAX':
      return minOrMax(name, of, false)
  }
}

/** An operand in the form in which it is compared, and sorted unless its type has a sort order of its own. */
export function compareOperand(operand: Operand, queryContext: QueryContext): Sql {
  switch (operand.kind) {
    case 'field':
      return comparableField(operand)
    case 'datePart':
      return dateOperand(operand, queryContext)
    case 'aggregate': {
      const value = aggregate(operand)
      const text = operand.of?.field.type.literal === 'string' && ['MIN', 'MAX'].includes(operand.function)
      return text ? (operand.of!.field.type.comparable?.(value, operand.of!.field) ?? value) : value
    }
    case 'grouping':
      return sql`grouping(${compareOperand(operand.of, queryContext)})`
    case 'distance':
      return distance(operand, operand.to, operand.unit)
  }
}

/** The value of an operand as selected. Only date functions need the query context. */
export function selectOperand(operand: Operand, queryContext: QueryContext | undefined): Sql {
  if (operand.kind === 'field') return operand.field.type.selected?.(columnOf(operand)) ?? columnOf(operand)
  if (operand.kind === 'aggregate') return aggregate(operand)
  return compareOperand(operand, queryContext!)
}

/**
 * A grouped operand as selected. Text is grouped case-insensitively, so one spelling represents the group; null on a
 * subtotal row over it.
 */
export function selectGrouped(operand: Operand, queryContext: QueryContext): Sql {
  if (operand.kind !== 'field') return selectOperand(operand, queryContext)
  const key = comparableField(operand)
  if (operand.field.type.comparable === undefined) return key
  return sql`case when grouping(${key}) = 0 then min(${columnOf(operand)} collate "C") end`
}

/** The sort key of aggregate rows: the group's key, or its position in the picklist. */
export function groupedSortKey(operand: Operand, queryContext: QueryContext): Sql {
  if (operand.kind !== 'field' || !isOrderedPicklist(operand.field)) return sortKey(operand, queryContext)
  const key = comparableField(operand)
  return sql`case when grouping(${key}) = 0 then min(${sortKey(operand, queryContext)}) end`
}
