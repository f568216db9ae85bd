import type { AggregatePlan, Operand } from '../../../src/soql/plan/plan.ts'
import { isMet } from './evaluate-filter.ts'
import {
  comparable,
  comparedField,
  compareExactly,
  datePart,
  makeWorth,
  type Worth,
} from './evaluate-operand.ts'
import { between, matching, present, type Shown } from './evaluate-plan.ts'
import { compareBy } from './sort.ts'
import type { Asker, Value, World } from './world.ts'

type Aggregate = Operand & { kind: 'aggregate' }

/** No number has more than four decimals, so sums of the smallest parts are exact. */
const PARTS = 10_000

/** Nulls are ignored. (docs/reference/api/queries.md#groups) */
function aggregate({ function: name, of }: Aggregate, rows: readonly Worth[]): Value {
  if (of === undefined) return rows.length
  const operand: Operand = { kind: 'field', ...of }
  const values = rows.map((worth) => worth(operand)).filter((value) => value !== null)
  const sum = () => values.reduce((total: number, value) => total + Math.round(Number(value) * PARTS), 0)
  switch (name) {
    case 'COUNT':
      return values.length
    case 'COUNT_DISTINCT':
      return new Set(values.map((value) => comparable(operand, value))).size
    case 'SUM':
      return values.length === 0 ? null : sum() / PARTS
    case 'AVG':
      return values.length === 0 ? null : sum() / (values.length * PARTS)
    case 'MIN':
      return values.toSorted((a, b) => compareExactly(operand, a, b))[0] ?? null
    case 'MAX':
      return values.toSorted((a, b) => compareExactly(operand, b, a))[0] ?? null
  }
}

const isSame = (a: Operand, b: Operand) =>
  a.kind !== 'aggregate' &&
  a.kind !== 'grouping' &&
  b.kind !== 'aggregate' &&
  b.kind !== 'grouping' &&
  a.source === b.source &&
  a.field === b.field &&
  (a.kind === 'datePart'
    ? b.kind === 'datePart' && a.function === b.function && a.zoned === b.zoned
    : b.kind === 'field')

/**
 * Returns the values of operands for a group of records. The group has one value of each of its keys; it sums up over all
 * others that are grouped by.
 */
function groupWorth(
  rows: readonly Worth[],
  keys: readonly Operand[],
  groupBy: readonly Operand[],
  asker: Asker,
): Worth {
  const keyWorth = (key: Operand): Value => {
    if (!keys.some((known) => isSame(known, key))) return null
    const values = rows.map((worth) => worth(key)).filter((value) => value !== null)
    // Text is grouped without case: one of its spellings stands for all.
    return values.toSorted((a, b) => compareExactly(key, a, b))[0] ?? null
  }
  return (operand) => {
    if (operand.kind === 'aggregate') return aggregate(operand, rows)
    if (operand.kind === 'grouping') {
      return keys.some((key) => isSame(key, operand.of)) ? 0 : 1
    }
    if (operand.kind !== 'datePart' || groupBy.some((key) => isSame(key, operand))) return keyWorth(operand)
    // A part of a date that is grouped itself.
    return datePart(operand, keyWorth({ ...operand, kind: 'field' }), asker)
  }
}

/** The keys that are grouped by in one result: all of them, and for subtotals fewer and fewer, or any of them. */
function keySets({ grouping, groupBy }: AggregatePlan): (readonly Operand[])[] {
  if (grouping === 'plain') return [groupBy]
  if (grouping === 'rollup') return [...groupBy, null].map((_, i) => groupBy.slice(0, groupBy.length - i))
  const subsets = Array.from({ length: 2 ** groupBy.length }, (_, bits) => bits)
  return subsets.map((bits) => groupBy.filter((_, i) => (bits >> i) % 2 === 1))
}

/** Without keys all records are one group, even when there are none. */
function makeGroups(rows: readonly Worth[], keys: readonly Operand[]): (readonly Worth[])[] {
  if (keys.length === 0) return [rows]
  const groups = Map.groupBy(rows, (worth) => JSON.stringify(keys.map((key) => comparable(key, worth(key)))))
  return [...groups.values()]
}

/**
 * The rows of a result in runs: the order asked for sorts the runs, and leaves open how rows stand within one.
 * (docs/reference/api/queries.md#groups)
 */
export function evaluateAggregate(plan: AggregatePlan, world: World, asker: Asker): Shown[][] {
  const all = world.records(plan.sources[0].object, asker)
  const rows = matching(all, plan.filter, world, asker).map((row) => makeWorth(world, row, asker))
  const groups = keySets(plan)
    .flatMap((keys) => makeGroups(rows, keys).map((group) => groupWorth(group, keys, plan.groupBy, asker)))
    .filter((worth) => plan.having === undefined || isMet(plan.having, { world, asker, worth }))
    .sort((a, b) => compareBy(plan.orderings, a, b))
  const runs: Shown[][] = []
  let last: Worth | undefined
  for (const worth of between(groups, plan)) {
    if (last === undefined || compareBy(plan.orderings, last, worth) !== 0) runs.push([])
    runs.at(-1)!.push(showRow(plan, worth))
    last = worth
  }
  return runs
}

function showRow({ items }: AggregatePlan, worth: Worth): Shown {
  const shown: Shown = { attributes: { type: 'AggregateResult' } }
  for (const { name, operand, presentation } of items) {
    shown[name] = present(comparedField(operand), presentation, worth(operand))
  }
  return shown
}
