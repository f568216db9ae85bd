import { type Sql, sql } from '../base/sql.ts'
import { usedLately } from '../schema/column.sql.ts'
import { comparableValue } from '../schema/ddl.sql.ts'
import type { Field } from '../schema/field.ts'
import type { Org } from '../storage/org.ts'
import type { Asking } from './asking.ts'
import { dayRange, endsNow } from './date-range.ts'
import { type MergedFilter, mergeComparisons } from './merge-comparisons.ts'
import { columnOf, compareOperand } from './operand.sql.ts'
import { factsOf } from './operand.ts'
import type { Filter, Operand, PlanValue, SemiJoinPlan, Source } from './plan.ts'
import { compileSearch } from './search.sql.ts'
import { fromSources } from './sources.sql.ts'

/** Conditions as SQL. */

const OPERATORS = { '=': sql`=`, '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` }

/** The field whose way of comparing counts: an operand's own, or the one that MIN and MAX are taken of. */
function comparedField(operand: Operand): Field | undefined {
  if (operand.kind === 'field') return operand.field
  if (operand.kind === 'aggregate' && ['MIN', 'MAX'].includes(operand.function)) return operand.of!.field
  return undefined
}

const PARAMETERS = { int: 'numeric', double: 'numeric', date: 'date' } as const

/** Numbers are compared as they are written: a value may have more digits than the column. */
function comparand(operand: Operand, value: PlanValue): Sql {
  const field = comparedField(operand)
  if (field !== undefined && field.type.parameter !== 'integer') return comparableValue(field, value)
  if (/^[+-]?\d{1,9}$/.test(String(value))) return sql`${value}::integer`
  const { literal } = factsOf(operand)
  return sql`${value}::${sql.raw(PARAMETERS[literal as keyof typeof PARAMETERS] ?? 'text')}`
}

/** More values are looked up in a hash. */
const MAX_ARRAY_VALUES = 200

/** One parameter for all values, so that the statement's text does not depend on how many there are. */
function compileIn(operand: Operand, values: readonly PlanValue[], asking: Asking): Sql {
  const element = sql.id('v')
  const field = comparedField(operand)
  const { literal } = factsOf(operand)
  const parameter = field?.type.parameter ?? PARAMETERS[literal as keyof typeof PARAMETERS] ?? 'text'
  const typed = sql`${element}::${sql.raw(parameter === 'integer' ? 'numeric' : parameter)}`
  const value = field?.type.comparable?.(typed, field) ?? typed
  const list = sql`select ${value} from unnest(${values.map(String)}::text[]) as ${element}`
  // PostgreSQL looks through an array for each record, but hashes what a query gives.
  return values.length > MAX_ARRAY_VALUES
    ? sql`${compareOperand(operand, asking)} in (${list})`
    : sql`${compareOperand(operand, asking)} = any(array(${list}))`
}

/** A moment for a datetime, a day for a date: where a named day starts for the user. */
function startOfDay(operand: Operand, day: string, { timeZone }: Asking): Sql {
  return factsOf(operand).literal === 'dateTime'
    ? sql`(${day}::text::timestamp at time zone ${timeZone}::text)`
    : sql`${day}::text::date`
}

/** Named days are a range: before, in, or after it. (docs/reference/api/queries.md#dates) */
function compileDays(filter: Filter & { kind: 'days' }, asking: Asking): Sql {
  const { operand, operator, literal } = filter
  const left = compareOperand(operand, asking)
  const range = dayRange(literal, asking)
  const start = startOfDay(operand, range.start, asking)
  const end =
    endsNow(literal) && factsOf(operand).literal === 'dateTime'
      ? sql`(${asking.now}::text::timestamptz + interval '1 second')`
      : startOfDay(operand, range.end, asking)
  switch (operator) {
    case '=':
      return sql`(${left} >= ${start} and ${left} < ${end})`
    case '<':
      return sql`${left} < ${start}`
    case '<=':
      return sql`${left} < ${end}`
    case '>':
      return sql`${left} >= ${end}`
    case '>=':
      return sql`${left} >= ${start}`
  }
}

/** Chosen values are kept as `A;B`: a set is chosen when every one of its values is among them. */
function compileIncludes({ operand, sets }: Filter & { kind: 'includes' }): Sql {
  if (operand.kind !== 'field') return sql`false`
  const column = columnOf(operand)
  const terms = sets.map((values) => {
    const folded = sql`array(select upper(v) collate "C" from unnest(${values}::text[]) as v)`
    return sql`string_to_array(upper(${column}) collate "C", ';') @> ${folded}`
  })
  return sql`(${sql.join(terms, ' or ')})`
}

function compileSemiJoin(org: Org, operand: Operand, plan: SemiJoinPlan, asking: Asking): Sql {
  const inner = columnOf(plan.operand)
  const [root] = plan.sources
  const conditions = [sql`${inner} is not null`, ...present(root, asking, true)]
  if (plan.filter !== undefined) conditions.push(compileFilter(org, plan.filter, asking))
  return sql`${compareOperand(operand, asking)} in (select ${inner}${fromSources(org, plan.sources, asking)} where ${sql.join(conditions, ' and ')})`
}

/** A record that is not in the recycle bin, unless the bin is asked for too. */
function live(alias: string, { deletedToo }: Asking): Sql {
  return deletedToo ? sql`true` : sql`not ${sql.id(alias, 'isdeleted')}`
}

/** What a record of a source is for whoever asks, before anything is asked of it: it lives, and he may see it. */
export function present({ object, alias }: Source, asking: Asking, sought: boolean): Sql[] {
  const rule = asking.visibleRows(object, alias, sought)
  return rule === undefined ? [live(alias, asking)] : [live(alias, asking), rule]
}

/** One parameter for all patterns. */
function compileLikeAny(operand: Operand, patterns: readonly string[], asking: Asking): Sql {
  const element = sql.id('v')
  const typed = sql`${element}::text`
  const field = comparedField(operand)
  const pattern = field?.type.comparable?.(typed, field) ?? typed
  return sql`${compareOperand(operand, asking)} like any(array(select ${pattern} from unnest(${patterns}::text[]) as ${element}))`
}

export function compileFilter(org: Org, filter: MergedFilter, asking: Asking): Sql {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const merged = mergeComparisons(filter)
      if (merged.length === 0) return filter.kind === 'and' ? sql`true` : sql`false`
      const terms = merged.map((term) => compileFilter(org, term, asking))
      return sql`(${sql.join(terms, filter.kind === 'and' ? ' and ' : ' or ')})`
    }
    case 'not':
      return sql`(${compileFilter(org, filter.term, asking)}) is not true`
    case 'isNull':
      return sql`${compareOperand(filter.operand, asking)} is null`
    case 'compare': {
      const { operand, operator, value } = filter
      return sql`${compareOperand(operand, asking)} ${OPERATORS[operator]} ${comparand(operand, value)}`
    }
    case 'days':
      return compileDays(filter, asking)
    case 'in':
      return compileIn(filter.operand, filter.values, asking)
    case 'like':
      return sql`${compareOperand(filter.operand, asking)} like ${comparand(filter.operand, filter.pattern)}`
    case 'likeAny':
      return compileLikeAny(filter.operand, filter.patterns, asking)
    case 'includes':
      return compileIncludes(filter)
    case 'semiJoin':
      return compileSemiJoin(org, filter.operand, filter.plan, asking)
    case 'search':
      return compileSearch(filter)
    case 'mine':
      return sql`${compareOperand(filter.operand, asking)} = ${asking.userId}`
    case 'recent':
      return usedLately(compareOperand(filter.operand, asking))
  }
}
