import type { Filter, Operand, PlanValue, SemiJoinPlan } from '../../../src/soql/plan/plan.ts'
import { findLocation, localTime } from './calendar.ts'
import { compareValues, fold, matches } from './compare-values.ts'
import { comparable, makeWorth, type Worth } from './evaluate-operand.ts'
import type { Asker, Value, World } from './world.ts'

/** A record under a filter, with all that the filter may look at. */
export interface Looking {
  readonly world: World
  readonly asker: Asker
  readonly worth: Worth
}

type Operator = (Filter & { kind: 'compare' })['operator']

function holds(operator: Operator, order: number): boolean {
  switch (operator) {
    case '=':
      return order === 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

/** A null is neither less nor equal nor greater. */
function compares(operand: Operand, value: Value, operator: Operator, to: PlanValue): boolean {
  if (value === null) return false
  return holds(operator, compareValues(comparable(operand, value)!, comparable(operand, to)!))
}

/** `<` is before the first of the days, `>` after the last. (docs/reference/api/queries.md#dates) */
function isAmongDays(filter: Filter & { kind: 'days' }, value: Value, asker: Asker): boolean {
  if (value === null) return false
  const text = String(value)
  const day = text.length === 10 ? text : localTime(new Date(text), asker.timeZone).day
  const { before, after: afterDays } = findLocation(day, filter.literal, asker)
  // Of datetimes, the last days end now and not at midnight.
  const endsNow = text.length > 10 && /^LAST_(N|90)_DAYS$/.test(filter.literal.name)
  const after = endsNow ? new Date(text) > asker.now : afterDays
  switch (filter.operator) {
    case '=':
      return !before && !after
    case '<':
      return before
    case '<=':
      return !after
    case '>':
      return after
    case '>=':
      return !before
  }
}

/** The ids that an inner query gives; its nulls do not count. */
function findIds({ sources, operand, filter }: SemiJoinPlan, { world, asker }: Looking): Set<Value> {
  const ids = world
    .records(sources[0].object, asker)
    .map((row) => makeWorth(world, row, asker))
    .filter((worth) => filter === undefined || isMet(filter, { world, asker, worth }))
    .map((worth) => worth({ kind: 'field', ...operand }))
  return new Set(ids.filter((id) => id !== null))
}

/** True if a condition is met: there is no third value. (docs/reference/api/queries.md#conditions) */
export function isMet(filter: Filter, looking: Looking): boolean {
  const { worth, asker } = looking
  switch (filter.kind) {
    case 'and':
      return filter.terms.every((term) => isMet(term, looking))
    case 'or':
      return filter.terms.some((term) => isMet(term, looking))
    case 'not':
      return !isMet(filter.term, looking)
    case 'isNull':
      return worth(filter.operand) === null
    case 'compare':
      return compares(filter.operand, worth(filter.operand), filter.operator, filter.value as PlanValue)
    case 'in':
      return filter.values.some((value) => compares(filter.operand, worth(filter.operand), '=', value))
    case 'days':
      return isAmongDays(filter, worth(filter.operand), asker)
    case 'like': {
      const text = comparable(filter.operand, worth(filter.operand))
      const pattern = comparable(filter.operand, filter.pattern)
      return text !== null && matches(String(text), String(pattern))
    }
    case 'includes': {
      const value = worth(filter.operand)
      if (value === null) return false
      const chosen = fold(String(value)).split(';')
      return filter.sets.some((set) => set.every((wanted) => chosen.includes(fold(wanted))))
    }
    case 'semiJoin':
      return findIds(filter.plan, looking).has(worth(filter.operand))
    case 'member':
      throw new Error('no object of the oracle has documents')
    case 'search':
      throw new Error('queries do not search for words')
    case 'recent':
      // Nobody in the garden uses a record.
      return false
    case 'mine':
      return worth(filter.operand) === asker.userId
  }
}
