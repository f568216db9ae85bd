import type { ChildPlan, CountPlan, Filter, RecordPlan } from '../../../src/soql/plan/plan.ts'
import { compareTexts } from './compare-values.ts'
import { isMet } from './evaluate-filter.ts'
import { makeWorth } from './evaluate-operand.ts'
import { type Shown, showRecord } from './show-record.ts'
import { compareBy } from './sort.ts'
import type { Asker, Row, World } from './world.ts'

/** A whole result, its pages put together. */
export interface Answer {
  readonly totalSize: number
  readonly done: true
  readonly records: readonly Shown[]
}

const answer = (records: readonly Shown[]): Answer => ({ totalSize: records.length, done: true, records })

export function matching(
  rows: readonly Row[],
  filter: Filter | undefined,
  world: World,
  asker: Asker,
): readonly Row[] {
  if (filter === undefined) return rows
  return rows.filter((row) => isMet(filter, { world, asker, worth: makeWorth(world, row, asker) }))
}

/** What stands between OFFSET and LIMIT. */
export function between<T>(
  rows: readonly T[],
  {
    limit = Number.POSITIVE_INFINITY,
    offset = 0,
  }: { readonly limit?: number | undefined; readonly offset?: number | undefined },
): readonly T[] {
  return rows.slice(offset, offset + limit)
}

/** Sorted as asked for, and by id where that leaves it open. */
function sorted(rows: readonly Row[], plan: RecordPlan, world: World, asker: Asker): Row[] {
  const valued = rows.map((row) => ({ row, worth: makeWorth(world, row, asker) }))
  valued.sort(
    (a, b) => compareBy(plan.orderings, a.worth, b.worth) || compareTexts(String(a.row.Id), String(b.row.Id)),
  )
  return valued.map(({ row }) => row)
}

function show(rows: readonly Row[], plan: RecordPlan, world: World, asker: Asker): Answer {
  const found = between(sorted(matching(rows, plan.filter, world, asker), plan, world, asker), plan)
  return answer(found.map((row) => showRecord(plan.selection, world, row, asker)!))
}

/** The children of one record. */
export function findChildren(plan: ChildPlan, world: World, parent: Row, asker: Asker): Answer {
  const { source, field } = plan.reference
  const outer = world.reach(plan.parent, parent)!
  const rows = world.records(source.object, asker).filter((row) => row[field.name] === outer.Id)
  return show(rows, plan, world, asker)
}

export function evaluateRecords(plan: RecordPlan, world: World, asker: Asker): Answer {
  const rows = world.records(plan.sources[0].object, asker)
  // With OFFSET there is one page and no other. (docs/reference/api/queries.md#order-limit-and-offset)
  const { limit = Number.POSITIVE_INFINITY } = plan
  const page = plan.offset === undefined ? plan : { ...plan, limit: Math.min(limit, asker.pageSize) }
  return show(rows, page, world, asker)
}

/** COUNT(): how many, and no records. */
export function evaluateCount(plan: CountPlan, world: World, asker: Asker): Answer {
  const rows = matching(world.records(plan.sources[0].object, asker), plan.filter, world, asker)
  return { totalSize: between(rows, plan).length, done: true, records: [] }
}
