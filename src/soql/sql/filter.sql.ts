import { type Sql, sql } from '../../base/sql.ts'
import { beginsIndex, comparableValue } from '../../schema/change/ddl.sql.ts'
import { isRecentlyUsed } from '../../schema/fields/column.sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { endsNow, getDayRange } from '../analyze/date-range.ts'
import { type MergedFilter, mergeComparisons } from '../analyze/merge-comparisons.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import { getOperandFacts } from '../plan/operand.ts'
import type { Filter, Operand, PlanValue, SemiJoinPlan, Source } from '../plan/plan.ts'
import { Slot } from '../plan/slot.ts'
import { columnOf, compareOperand } from './operand.sql.ts'
import { compileSearch } from './search.sql.ts'
import { fromSources } from './sources.sql.ts'

/** Conditions as SQL. */

const OPERATORS = { '=': sql`=`, '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` }

/** The field whose comparison rules apply: an operand's own, or the argument of MIN and MAX. */
function findComparedField(operand: Operand): Field | undefined {
  if (operand.kind === 'field') return operand.field
  if (operand.kind === 'aggregate' && ['MIN', 'MAX'].includes(operand.function)) return operand.of!.field
  return undefined
}

const PARAMETERS = { int: 'numeric', double: 'numeric', date: 'date' } as const

/** Numbers are compared with all their digits: a value may have more of them than the column. */
function compileComparand(operand: Operand, value: PlanValue | Slot): Sql {
  const example = value instanceof Slot ? value.example : value
  const field = findComparedField(operand)
  if (field !== undefined && field.type.parameter !== 'integer') return comparableValue(field, value)
  if (/^[+-]?\d{1,9}$/.test(String(example))) return sql`${value}::integer`
  const { literal } = getOperandFacts(operand)
  return sql`${value}::${sql.raw(PARAMETERS[literal as keyof typeof PARAMETERS] ?? 'text')}`
}

/** Above this many values, a hashed subquery is faster than an array. */
const MAX_ARRAY_VALUES = 200

/** One parameter for all values, so that the statement's text does not depend on their number. */
function compileIn(operand: Operand, values: readonly PlanValue[], queryContext: QueryContext): Sql {
  const element = sql.id('v')
  const field = findComparedField(operand)
  const { literal } = getOperandFacts(operand)
  const parameter = field?.type.parameter ?? PARAMETERS[literal as keyof typeof PARAMETERS] ?? 'text'
  const typed = sql`${element}::${sql.raw(parameter === 'integer' ? 'numeric' : parameter)}`
  const value = field?.type.comparable?.(typed, field) ?? typed
  const list = sql`select ${value} from unnest(${values.map(String)}::text[]) as ${element}`
  // PostgreSQL scans an array for each record, but hashes the result of a subquery.
  return values.length > MAX_ARRAY_VALUES
    ? sql`${compareOperand(operand, queryContext)} in (${list})`
    : sql`${compareOperand(operand, queryContext)} = any(array(${list}))`
}

/** The start of a day for the user: a timestamp for a datetime, the date for a date. */
function compileDayStart(operand: Operand, day: string, { timeZone }: QueryContext): Sql {
  return getOperandFacts(operand).literal === 'dateTime'
    ? sql`(${day}::text::timestamp at time zone ${timeZone}::text)`
    : sql`${day}::text::date`
}

/** Compares with the range of a named date: before, in, or after it. (docs/reference/api/queries.md#dates) */
function compileDays(filter: Filter & { kind: 'days' }, queryContext: QueryContext): Sql {
  const { operand, operator, literal } = filter
  const left = compareOperand(operand, queryContext)
  const range = getDayRange(literal, queryContext)
  const start = compileDayStart(operand, range.start, queryContext)
  const end =
    endsNow(literal) && getOperandFacts(operand).literal === 'dateTime'
      ? sql`(${queryContext.now}::text::timestamptz + interval '1 second')`
      : compileDayStart(operand, range.end, queryContext)
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

/** More sets of several values are one parameter together: the statement would become long. */
const MAX_SEPARATE_SETS = 10

/**
 * Multi-select picklists are stored as `A;B`: a set matches if all its values are selected. Sets of one value, of which there may be
 * thousands, are compared together.
 */
function compileIncludes({ operand, sets }: Filter & { kind: 'includes' }): Sql {
  if (operand.kind !== 'field') return sql`false`
  const chosen = sql`string_to_array(upper(${columnOf(operand)}) collate "C", ';')`
  const fold = (values: readonly string[]) =>
    sql`array(select upper(v) collate "C" from unnest(${values}::text[]) as v)`
  const contains = (values: readonly string[]) => sql`${chosen} @> ${fold(values)}`
  const singles = sets.flatMap((values) => (values.length === 1 ? values : []))
  const areTogether = singles.length > 1
  const others = areTogether ? sets.filter((values) => values.length !== 1) : sets
  const terms = areTogether ? [sql`${chosen} && ${fold(singles)}`] : []
  if (others.length <= MAX_SEPARATE_SETS) terms.push(...others.map(contains))
  else {
    const joined = others.map((values) => values.join(';'))
    terms.push(
      sql`(select bool_or(${chosen} @> string_to_array(one collate "C", ';')) from unnest(${fold(joined)}) as one)`,
    )
  }
  return sql`(${sql.join(terms, ' or ')})`
}

/** JSON compares types and values: the number 1 is 1.0, and no text. `->` leads into objects, and not to the items of lists. */
function compileMember({ operand, members, value }: Filter & { kind: 'member' }): Sql {
  const path = members.map((member) => sql`${member}::text`)
  const found = sql.join([columnOf(operand), ...path], ' -> ')
  if (value === null) return sql`coalesce(jsonb_typeof(${found}), 'null') = 'null'`
  return sql`${found} = to_jsonb(${value.text}::text::${sql.raw(value.type)})`
}

function compileSemiJoin(org: Org, operand: Operand, plan: SemiJoinPlan, queryContext: QueryContext): Sql {
  const inner = columnOf(plan.operand)
  const [root] = plan.sources
  const conditions = [sql`${inner} is not null`, ...compileVisibility(root, queryContext, true)]
  if (plan.filter !== undefined) conditions.push(compileFilter(org, plan.filter, queryContext))
  return sql`${compareOperand(operand, queryContext)} in (select ${inner}${fromSources(org, plan, queryContext)} where ${sql.join(conditions, ' and ')})`
}

/** Excludes records in the recycle bin, unless the query includes them. */
function isPresent(alias: string, { deletedToo }: QueryContext): Sql {
  return deletedToo ? sql`true` : sql`not ${sql.id(alias, 'isdeleted')}`
}

/** Conditions on every record of a source: it is not deleted, and the user may see it. */
export function compileVisibility(
  { object, alias }: Source,
  queryContext: QueryContext,
  sought: boolean,
): Sql[] {
  const rule = queryContext.visibleRows(object, alias, sought)
  return rule === undefined ? [isPresent(alias, queryContext)] : [isPresent(alias, queryContext), rule]
}

const BEGINS_WITH_WILDCARD = /^(?:[%_]|$)/

/**
 * An index serves a pattern that begins with characters, if PostgreSQL sees the pattern when it plans. A plan for all patterns would
 * scan the table; and one that compares with a range always would read half of it for a pattern that half of the records match.
 */
function compileLike({ operand, pattern }: Filter & { kind: 'like' }, queryContext: QueryContext): Sql {
  const condition = sql`${compareOperand(operand, queryContext)} like ${compileComparand(operand, pattern)}`
  const isServed =
    operand.kind === 'field' &&
    operand.source.targets === undefined &&
    !BEGINS_WITH_WILDCARD.test(pattern) &&
    beginsIndex(operand.source.object, operand.field)
  return isServed ? condition.replanned() : condition
}

/** One parameter for all patterns. */
function compileLikeAny(operand: Operand, patterns: readonly string[], queryContext: QueryContext): Sql {
  const element = sql.id('v')
  const typed = sql`${element}::text`
  const field = findComparedField(operand)
  const pattern = field?.type.comparable?.(typed, field) ?? typed
  return sql`${compareOperand(operand, queryContext)} like any(array(select ${pattern} from unnest(${patterns}::text[]) as ${element}))`
}

export function compileFilter(org: Org, filter: MergedFilter, queryContext: QueryContext): Sql {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const merged = mergeComparisons(filter)
      if (merged.length === 0) return filter.kind === 'and' ? sql`true` : sql`false`
      const terms = merged.map((term) => compileFilter(org, term, queryContext))
      return sql`(${sql.join(terms, filter.kind === 'and' ? ' and ' : ' or ')})`
    }
    case 'not':
      return sql`(${compileFilter(org, filter.term, queryContext)}) is not true`
    case 'isNull':
      return sql`${compareOperand(filter.operand, queryContext)} is null`
    case 'compare': {
      const { operand, operator, value } = filter
      return sql`${compareOperand(operand, queryContext)} ${OPERATORS[operator]} ${compileComparand(operand, value)}`
    }
    case 'days':
      return compileDays(filter, queryContext)
    case 'in':
      return compileIn(filter.operand, filter.values, queryContext)
    case 'like':
      return compileLike(filter, queryContext)
    case 'likeAny':
      return compileLikeAny(filter.operand, filter.patterns, queryContext)
    case 'includes':
      return compileIncludes(filter)
    case 'member':
      return compileMember(filter)
    case 'semiJoin':
      return compileSemiJoin(org, filter.operand, filter.plan, queryContext)
    case 'search':
      return compileSearch(filter)
    case 'mine':
      return sql`${compareOperand(filter.operand, queryContext)} = ${queryContext.userId}`
    case 'recent':
      return isRecentlyUsed(compareOperand(filter.operand, queryContext))
  }
}
