import { type Sql, sql } from '../base/sql.ts'
import { comparableColumn, comparableValue } from '../schema/ddl.sql.ts'
import type { Org } from '../storage/org.ts'
import type { FieldRef, Filter, Ordering, Plan, PlanValue, RecordPlan, Source } from './plan.ts'

/** From what was decided to what is sent: cannot fail. */

const column = ({ source, field }: FieldRef) => sql.id(source.alias, field.column!)
const comparable = ({ source, field }: FieldRef) => comparableColumn(field, source.alias)

const OPERATORS = { '=': sql`=`, '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` }

/** Numbers are compared as they are written: a value may have more digits than the column. */
function comparand(operand: FieldRef, value: PlanValue): Sql {
  if (operand.field.type.parameter !== 'integer') return comparableValue(operand.field, value)
  const fits = /^[+-]?\d{1,9}$/.test(String(value))
  return fits ? sql`${value}::integer` : sql`${value}::numeric`
}

/** A boolean of a parent that is not there counts as false. (contract/soql 5.3) */
function compared(operand: FieldRef): Sql {
  return operand.field.type.literal === 'boolean' && operand.source.via !== undefined
    ? sql`coalesce(${column(operand)}, false)`
    : comparable(operand)
}

function compileComparison(operand: FieldRef, operator: Sql, value: PlanValue): Sql {
  return sql`${compared(operand)} ${operator} ${comparand(operand, value)}`
}

/** One parameter for all values, so that the statement's text does not depend on how many there are. */
function compileIn(operand: FieldRef, values: readonly PlanValue[]): Sql {
  const { field } = operand
  const element = sql.id('v')
  const texts = values.map(String)
  const type = field.type.parameter === 'integer' ? 'numeric' : field.type.parameter
  const typed = sql`${element}::${sql.raw(type)}`
  const value = field.type.comparable?.(typed, field) ?? typed
  return sql`${compared(operand)} = any(array(select ${value} from unnest(${texts}::text[]) as ${element}))`
}

function compileFilter(filter: Filter): Sql {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      if (filter.terms.length === 0) return filter.kind === 'and' ? sql`true` : sql`false`
      const terms = filter.terms.map(compileFilter)
      return sql`(${sql.join(terms, filter.kind === 'and' ? ' and ' : ' or ')})`
    }
    case 'not':
      return sql`(${compileFilter(filter.term)}) is not true`
    case 'isNull':
      return sql`${column(filter.operand)} is null`
    case 'compare':
      return compileComparison(filter.operand, OPERATORS[filter.operator], filter.value)
    case 'in':
      return compileIn(filter.operand, filter.values)
    case 'like': {
      const { field } = filter.operand
      return sql`${comparable(filter.operand)} like ${comparableValue(field, filter.pattern)}`
    }
  }
}

/** Picklists sort by their defined order, values that are not in it last. (contract/soql 7) */
function sortKey({ operand }: Ordering): Sql {
  const { field } = operand
  if (field.type.name !== 'picklist' || field.picklist.length === 0) return comparable(operand)
  const values = field.picklist.map((entry) => entry.value)
  return sql`case when ${column(operand)} is not null then coalesce(array_position(${values}::text[], ${column(operand)}), ${values.length + 1}::integer) end`
}

function compileOrdering(ordering: Ordering): Sql {
  const { descending, nullsFirst, operand } = ordering
  const direction = descending ? sql`desc` : sql`asc`
  // Where there are no nulls their place is free, and this one is an index read backwards.
  const nowhere = !operand.field.nillable && operand.source.via === undefined
  const first = nowhere ? !descending : nullsFirst
  return sql`${sortKey(ordering)} ${direction} nulls ${first ? sql`first` : sql`last`}`
}

/** Ties are broken by id, so that an order is always the same. */
function orderBy(plan: RecordPlan): Sql {
  const root = plan.sources[0]
  return sql` order by ${sql.join([...plan.orderings.map(compileOrdering), sql.id(root.alias, 'id')])}`
}

function table(org: Org, source: Source): Sql {
  return sql`${sql.id(org.schemaName, source.object.table)} ${sql.id(source.alias)}`
}

/** The joins of the parents; a record without the parent stays. */
function joins(org: Org, plan: Plan): Sql {
  const parents = plan.sources.slice(1)
  return sql.join(
    parents.map(
      (source) =>
        sql` left join ${table(org, source)} on ${sql.id(source.alias, 'id')} = ${column(source.via!)}`,
    ),
    '',
  )
}

function where(plan: Plan, ...more: Sql[]): Sql {
  const conditions = [sql`not ${sql.id(plan.sources[0].alias, 'isdeleted')}`, ...more]
  if (plan.filter !== undefined) conditions.push(compileFilter(plan.filter))
  return sql` where ${sql.join(conditions, ' and ')}`
}

const from = (org: Org, plan: Plan) => sql` from ${table(org, plan.sources[0])}${joins(org, plan)}`
/** LIMIT and OFFSET as they were said. */
function between({ limit, offset }: Plan): Sql {
  const most = limit === undefined ? sql.raw('') : sql` limit ${limit}::numeric`
  return offset === undefined ? most : sql`${most} offset ${offset}::integer`
}

const rootId = (plan: Plan) => sql.id(plan.sources[0].alias, 'id')

export const querySql = {
  /** The first records of a result. */
  first(org: Org, plan: RecordPlan, columns: readonly Sql[], most: number): Sql {
    const offset = plan.offset === undefined ? sql.raw('') : sql` offset ${plan.offset}::integer`
    return sql`select ${sql.join(columns)}${from(org, plan)}${where(plan)}${orderBy(plan)} limit ${most}::integer${offset}`
  },

  /** How many records match between offset and limit. */
  count(org: Org, plan: Plan): Sql {
    if (plan.limit === undefined && plan.offset === undefined) {
      return sql`select count(*) as total${from(org, plan)}${where(plan)}`
    }
    return sql`select count(*) as total from (select 1${from(org, plan)}${where(plan)}${between(plan)}) matched`
  },

  /** How many records of a query without conditions there are, and the last id among them. */
  extent(org: Org, plan: RecordPlan): Sql {
    return sql`select count(*) as total, max(${rootId(plan)}) as "lastId"${from(org, plan)}${where(plan)}`
  },

  /** Ids of all matches in their order: what a list of pages is made from. */
  matches(org: Org, plan: RecordPlan): Sql {
    return sql`select ${rootId(plan)}${from(org, plan)}${where(plan)}${orderBy(plan)}${between(plan)}`
  },

  /** Live records after an id up to another, in the order of ids: the pages of a query without conditions. */
  after(
    org: Org,
    plan: RecordPlan,
    columns: readonly Sql[],
    after: string,
    upTo: string,
    most: number | null,
  ): Sql {
    const root = rootId(plan)
    return sql`select ${sql.join(columns)}${from(org, plan)} where ${root} > ${after} and ${root} <= ${upTo} and not ${sql.id(plan.sources[0].alias, 'isdeleted')} order by ${root} limit ${most}::integer`
  },

  /** The records of a remembered list of ids that still live, in the list's order. */
  listed(org: Org, plan: RecordPlan, columns: readonly Sql[], ids: Sql): Sql {
    return sql`select ${sql.join(columns)} from (${ids}) page cross join unnest(page.ids) with ordinality as listed (id, position)
      join ${table(org, plan.sources[0])} on ${rootId(plan)} = listed.id${joins(org, plan)}
      where not ${sql.id(plan.sources[0].alias, 'isdeleted')} order by listed.position`
  },
}
