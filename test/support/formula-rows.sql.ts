import { type Sql, sql } from '../../src/base/sql.ts'
import { evaluateOutput } from '../../src/formulas/backends/evaluate.ts'
import { checkCompiledLength, compileFailure, compileOutput } from '../../src/formulas/backends/to-sql.sql.ts'
import { type Binder, checkFormula } from '../../src/formulas/check/check-formula.ts'
import { Budget } from '../../src/formulas/language/budget.ts'
import type {
  EvaluationScope,
  Formula,
  SqlScope,
  Target,
  Value,
} from '../../src/formulas/language/expression.ts'
import { EvaluationError, FormulaError } from '../../src/formulas/language/formula-error.ts'
import type {
  Facts,
  FormulaOutput,
  FormulaPlace,
  FormulaType,
} from '../../src/formulas/language/formula-type.ts'
import { formatDate, formatDateTime, formatTime, toDays } from '../../src/formulas/values/civil-date.ts'
import { Decimal } from '../../src/formulas/values/number.ts'
import type { Db } from '../../src/storage/database/db.ts'

/** Formulas over rows of values, without objects: in the process and in PostgreSQL. */

export interface RowField {
  readonly type: Exclude<FormulaType, 'Null' | 'Location' | 'Column'> | 'Percent'
  readonly facts?: Facts
  /** The field is computed. */
  readonly formula?: string
}

export type RowFields = Readonly<Record<string, RowField>>

/** Numbers as decimal texts, dates as `2026-11-24`, datetimes as `2026-11-24 05:06:07`, times as `10:15:00.000`. */
type RowValue = string | number | boolean | null
export type FormulaRow = Readonly<Record<string, RowValue>>

/** A value as text, or why there is none. */
export type RowResult = { readonly value: string | null } | { readonly error: true }

const FACTS: Readonly<Partial<Record<RowField['type'], Facts>>> = {
  Number: { scale: 18, digits: 18 },
  Percent: { scale: 18, digits: 18 },
  Text: { length: 255 },
  Picklist: { length: 255 },
  MultiPicklist: { length: 255 },
  Date: { reach: 1_000_000 },
  DateTime: { reach: 1_000_000 },
}

const COLUMNS: Readonly<Record<RowField['type'], string>> = {
  Number: 'numeric',
  Percent: 'numeric',
  Text: 'text',
  Picklist: 'text',
  MultiPicklist: 'text',
  Boolean: 'boolean',
  Date: 'date',
  DateTime: 'timestamp',
  Time: 'time',
}

interface RowFormula {
  readonly fields: RowFields
  readonly place?: FormulaPlace
  readonly result?: FormulaType
  /** Blank numbers count as zero, also in the fields that are computed. */
  readonly zero: boolean
}

function makeRowBinder(request: RowFormula): Binder {
  const known = new Map(
    Object.entries(request.fields).map(([name, field]) => [name.toLowerCase(), [name, field] as const]),
  )
  return {
    resolve(written, at): Target {
      const found = known.get(written.toLowerCase())
      if (found === undefined) throw new FormulaError(`Field ${written} does not exist. Check spelling.`, at)
      const [name, field] = found
      const type = field.type === 'Percent' ? 'Number' : field.type
      const formula =
        field.formula === undefined ? undefined : checkRow(field.formula, { ...request, result: type })
      return {
        name,
        type,
        facts: field.facts ?? FACTS[field.type] ?? {},
        isPercent: field.type === 'Percent',
        isOwn: true,
        isImmutable: formula?.isImmutable ?? true,
        ...(formula !== undefined && { formula }),
      }
    },
  }
}

export function checkRow(text: string, request: RowFormula): Formula {
  const formula = checkFormula({
    text,
    place: request.place ?? 'field',
    result: request.result,
    zero: request.zero,
    binder: makeRowBinder(request),
  })
  if (request.place !== 'rule') checkCompiledLength(formula, {}, scope)
  return formula
}

const NOW = new Date('2026-11-24T05:06:07Z')

function parse(field: RowField, value: RowValue): Value {
  if (value === null || value === '') return null
  const text = String(value)
  const days = () => toDays(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10)))
  const time = (at: number) =>
    Number(text.slice(at, at + 2)) * 3600 +
    Number(text.slice(at + 3, at + 5)) * 60 +
    Number(text.slice(at + 6, at + 8))
  switch (field.type) {
    case 'Number':
    case 'Percent':
      return new Decimal(text)
    case 'Date':
      return days()
    case 'DateTime':
      return days() * 86_400 + time(11)
    case 'Time':
      return time(0) * 1000 + Number(text.slice(9, 12))
    default:
      return value
  }
}

function format(type: FormulaType, value: Value): string | null {
  if (value === null) return null
  switch (type) {
    case 'Number':
      return (value as Decimal).toFixed()
    case 'Date':
      return formatDate(value as number)
    case 'DateTime':
      return formatDateTime(value as number)
    case 'Time':
      return formatTime(value as number)
    default:
      return String(value)
  }
}

export function evaluateInProcess(
  formula: Formula,
  output: FormulaOutput,
  fields: RowFields,
  rows: readonly FormulaRow[],
): RowResult[] {
  return rows.map((row) => {
    const scope: EvaluationScope = {
      isNew: true,
      now: NOW,
      timeZone: 'UTC',
      budget: Budget.ofRecord(),
      read: ({ name }) => parse(fields[name]!, row[name] ?? null),
      enter: () => scope,
    }
    try {
      return { value: format(formula.result, evaluateOutput(formula, output, scope)) }
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error
      return { error: true }
    }
  })
}

const scope: SqlScope = {
  column: ({ name }) => sql.id('r', name),
  enter: () => scope,
  exists: () => undefined,
  now: sql`timestamp '2026-11-24 05:06:07'`,
  today: sql`date '2026-11-24'`,
  timeZone: sql`'UTC'`,
}

const rowsSql = {
  /** The results of a formula over rows, in their order. */
  evaluate(formula: Formula, output: FormulaOutput, fields: RowFields, rows: readonly FormulaRow[]): Sql {
    const stored = Object.entries(fields).filter(([, { formula }]) => formula === undefined)
    const columns = stored.map(([name, { type }]) => sql`${sql.id(name)} ${sql.raw(COLUMNS[type])}`)
    const numbered = rows.map((row, index) => ({
      ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === '' ? null : value])),
      n: index,
    }))
    const value = compileOutput(formula, output, scope)
    const text =
      formula.result === 'DateTime'
        ? sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`
        : formula.result === 'Time'
          ? sql`to_char(${value}, 'HH24:MI:SS.MS')`
          : sql`(${value})::text`
    return sql`select ${text} as value, coalesce(${compileFailure(formula, scope) ?? sql`false`}, false) as failed
               from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) as r(${sql.join([sql`n integer`, ...columns])}) order by n`
  },
}

export async function evaluateInDatabase(
  db: Db,
  formula: Formula,
  output: FormulaOutput,
  fields: RowFields,
  rows: readonly FormulaRow[],
): Promise<RowResult[]> {
  const found = await db.query<{ value: string | null; failed: boolean }>(
    rowsSql.evaluate(formula, output, fields, rows),
  )
  return found.map(({ value, failed }) => {
    if (!failed)
      return { value: formula.result === 'Number' && value !== null ? new Decimal(value).toFixed() : value }
    // A failure is always given out as nothing.
    return value === null ? { error: true } : { value: `a failure that shows ${value}` }
  })
}
