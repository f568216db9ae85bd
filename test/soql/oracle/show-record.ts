import type { Field } from '../../../src/schema/fields/field.ts'
import type { Presentation, Selected, Selection, TypeofSelection } from '../../../src/soql/plan/plan.ts'
import { coordinates, makeWorth } from './evaluate-operand.ts'
import { type Answer, findChildren } from './evaluate-plan.ts'
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

/** What a query shows of a record, or of a parent of it; null when there is none. (docs/reference/api/queries.md#result) */
export function showRecord(selection: Selection, world: World, root: Row, asker: Asker): Shown | null {
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
