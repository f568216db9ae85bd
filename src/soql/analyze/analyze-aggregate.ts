import { isGroupable } from '../../schema/fields/field.ts'
import type { Expression } from '../parse/function-call.ts'
import { isAggregateFunction } from '../parse/function-names.ts'
import { malformedQuery, queryError } from '../parse/query-error.ts'
import type { GroupItem, Query, SelectItem } from '../parse/tree.ts'
import { isSameOperand } from '../plan/operand.ts'
import type { AggregateItem, AggregatePlan, Operand } from '../plan/plan.ts'
import { analyzeFilter } from './analyze-filter.ts'
import { analyzeOperand, formatExpression } from './analyze-operand.ts'
import { analyzeOrderings } from './analyze-ordering.ts'
import { analyzeSelectCall } from './analyze-selection.ts'
import { expandFields } from './expand-fields.ts'
import { makeFilterLocation } from './filter-location.ts'
import { checkGrouped, checkOrdered, checkSubtotals, ungroupedError } from './grouping.ts'
import { isBounded } from './is-bounded.ts'
import type { Scope } from './scope.ts'

function containsAggregate(expression: Expression): boolean {
  if (expression.kind === 'path') return false
  if (expression.function === 'FORMAT') return containsAggregate(expression.args[0] as Expression)
  return isAggregateFunction(expression.function)
}

/** True if the query returns aggregate rows instead of records. */
export function isAggregate({ grouping, items }: Query): boolean {
  return (
    grouping !== undefined || items.some((item) => item.kind === 'function' && containsAggregate(item.call))
  )
}

function analyzeGroupItem(item: GroupItem, scope: Scope): Operand {
  const operand = analyzeOperand(item, scope)
  if (operand.kind === 'field' && !isGroupable(operand.field)) {
    throw queryError(
      'INVALID_FIELD',
      scope.text,
      item.at,
      `field '${operand.field.name}' can not be grouped in a query call`,
    )
  }
  return operand
}

function analyzeGrouping({ grouping }: Query, scope: Scope): Operand[] {
  if (grouping === undefined) return []
  checkSubtotals(grouping.kind, grouping.items.length)
  const groupBy: Operand[] = []
  for (const item of grouping.items) {
    const operand = analyzeGroupItem(item, scope)
    if (groupBy.some((known) => isSameOperand(known, operand))) {
      throw malformedQuery(`duplicate grouping expression: ${formatExpression(item)}`)
    }
    groupBy.push(operand)
  }
  return groupBy
}

/** The columns of a row, each with its name: alias, field, or `expr0`, `expr1`, .... (docs/reference/api/queries.md#aliases) */
function analyzeItems(query: Query, scope: Scope, groupBy: readonly Operand[]): AggregateItem[] {
  const items: AggregateItem[] = []
  let unnamed = 0
  const add = (item: AggregateItem) => {
    if (items.some((known) => known.name.toLowerCase() === item.name.toLowerCase())) {
      throw malformedQuery(`duplicate alias: ${item.name}`)
    }
    items.push(item)
  }
  for (const item of query.items) {
    for (const entry of analyzeItem(item, query, scope)) {
      checkGrouped(entry.operand, formatExpression(entry.expression), groupBy)
      add({
        name: entry.name ?? `expr${unnamed++}`,
        operand: entry.operand,
        presentation: entry.presentation,
      })
    }
  }
  return items
}

interface Entry {
  readonly name: string | undefined
  readonly operand: Operand
  readonly presentation: AggregateItem['presentation']
  readonly expression: Expression
}

function analyzeItem(item: SelectItem, query: Query, scope: Scope): Entry[] {
  switch (item.kind) {
    case 'field': {
      const operand = analyzeOperand(item.path, scope)
      const name = item.alias?.text ?? (operand.kind === 'field' ? operand.field.name : undefined)
      return [{ name, operand, presentation: 'plain', expression: item.path }]
    }
    case 'fields':
      return expandFields(item, scope, query.items.length === 1, isBounded(query)).map((field) => ({
        name: field.name,
        operand: { kind: 'field', source: scope.root, field },
        presentation: 'plain',
        expression: { kind: 'path', segments: [field.name], at: item.at },
      }))
    case 'function': {
      const { presentation, operand, ownName } = analyzeSelectCall(item.call, scope)
      const expression = presentation === 'label' ? (item.call.args[0] as Expression) : item.call
      const inner = ownName === undefined ? expression : (item.call.args[0] as Expression)
      return [{ name: item.alias?.text ?? ownName, operand, presentation, expression: inner }]
    }
    case 'typeof':
      throw malformedQuery('TYPEOF is not allowed with GROUP BY or aggregate functions')
    case 'childQuery':
      throw malformedQuery('Child queries are not allowed with GROUP BY or aggregate functions')
  }
}

function checkUngrouped({ grouping, limit, offset, orderBy }: Query): void {
  if (grouping !== undefined) return
  const clause = limit !== undefined ? 'LIMIT' : offset !== undefined ? 'OFFSET' : undefined
  if (clause !== undefined) throw ungroupedError(clause)
  if (orderBy.length > 0) throw ungroupedError('ORDER BY')
}

/** Analyzes a query that returns aggregate rows. (docs/reference/api/queries.md#groups) */
export function analyzeAggregate(query: Query, scope: Scope): AggregatePlan {
  const selectsCountOfAll = query.items.some(
    (item) => item.kind === 'function' && item.call.args.length === 0,
  )
  if (selectsCountOfAll) throw malformedQuery('COUNT() must be selected alone')
  const groupBy = analyzeGrouping(query, scope)
  const items = analyzeItems(query, scope, groupBy)
  checkUngrouped(query)
  const filter = query.where && analyzeFilter(query.where, makeFilterLocation(scope, 'where'))
  const having =
    query.having &&
    analyzeFilter(query.having, {
      ...makeFilterLocation(scope, 'where'),
      clause: 'having',
      check: (operand, expression) => checkGrouped(operand, formatExpression(expression), groupBy),
    })
  const orderings = analyzeOrderings(query.orderBy, scope, (operand, expression) =>
    checkOrdered(operand, formatExpression(expression), groupBy),
  )
  return {
    kind: 'aggregate',
    sources: scope.sources,
    items,
    grouping: query.grouping?.kind ?? 'plain',
    groupBy,
    filter,
    having,
    orderings,
    limit: query.limit?.value,
    offset: query.offset?.value,
  }
}
