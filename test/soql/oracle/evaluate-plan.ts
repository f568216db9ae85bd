import type { Field } from '../../../src/schema/fields/field.ts'
import type {
  ChildPlan,
  CountPlan,
  Filter,
  Presentation,
  RecordPlan,
  Selected,
  Selection,
  TypeofSelection,
} from '../../../src/soql/plan/plan.ts'
import { compareTexts } from './compare-values.ts'
import { isMet } from './evaluate-filter.ts'
import { coordinates, makeWorth } from './evaluate-operand.ts'
import { compareBy } from './sort.ts'
import type { Asker, Row, Value, World } from './world.ts'

export type Shown = Record<string, unknown>

/** A value as JSON has it. (docs/reference/api/queries.md#values) */
function showValue(field: Field | undefined, value: Value): unknown {
  if (value === null) return null
  if (field?.type.name === 'datetime') return `${String(value).slice(0, 19)}.000+0000`
  if (field?.type.name === 'time') return `${value}Z`
  return value
}

/** A label for each value chosen. */
export function present(field: Field | undefined, presentation: Presentation, value: Value): unknown {
  if (presentation === 'plain' || value === null) return showValue(field, value)
  if (presentation === 'format') throw new Error('the oracle knows no locales')
  const label = (part: string) => field?.picklist.find((entry) => entry.value === part)?.label ?? part
  return String(value).split(';').map(label).join(';')
}

function showField(field: Field, row: Row): unknown {
  if (field.type.name !== 'location') return showValue(field, row[field.name] ?? null)
  const location = coordinates(field, row)
  return location && { latitude: location[0], longitude: location[1] }
}

/** The first branch whose object the reference points to. (docs/reference/api/queries.md#typeof) */
function showTypeof(member: TypeofSelection, world: World, root: Row, asker: Asker): unknown {
  const { branches, otherwise } = member
  const all = otherwise === undefined ? branches : [...branches, otherwise]
  const branch = all.find((selection) => world.reach(selection.source, root) !== undefined)
  return branch === undefined ? null : showRecord(branch, world, root, asker)
}

function showMember(member: Selected, selection: Selection, world: World, root: Row, asker: Asker): unknown {
  if (!('kind' in member)) return showField(member, world.reach(selection.source, root)!)
  switch (member.kind) {
    case 'parent':
      return showRecord(member.selection, world, root, asker)
    case 'typeof':
      return showTypeof(member, world, root, asker)
    case 'children': {
      const children: Answer = findChildren(member.plan, world, root, asker)
      return children.totalSize === 0 ? null : children
    }
    case 'computed': {
      const { operand, presentation } = member
      const value = makeWorth(world, root, asker)(operand)
      return present(operand.kind === 'field' ? operand.field : undefined, presentation, value)
    }
  }
}

/** Returns a record, or a parent of it, as a query shows it; null when there is none. (docs/reference/api/queries.md#result) */
function showRecord(selection: Selection, world: World, root: Row, asker: Asker): Shown | null {
  const row = world.reach(selection.source, root)
  if (row === undefined) return null
  const actual = world.schema.objectOfId(String(row.Id))!
  const url = `/services/data/v64.0/sobjects/${actual.name}/${row.Id}`
  const shown: Shown = { attributes: { type: selection.source.object.name, url } }
  for (const member of selection.members) {
    shown[member.name] = showMember(member, selection, world, root, asker)
  }
  return shown
}

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

/** The rows between OFFSET and LIMIT. */
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
function findChildren(plan: ChildPlan, world: World, parent: Row, asker: Asker): Answer {
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
