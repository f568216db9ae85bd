import { ApiError } from '../base/api-error.ts'
import type { Field } from '../schema/field.ts'
import type { FieldRef, ParentSelection, Selection, Source } from './plan.ts'
import { refusal } from './refusal.ts'
import type { Scope } from './scope.ts'
import type { FieldItem, Query, SelectItem } from './tree.ts'

/** A selection while it grows: parents are merged where they first appear. (contract/soql 8.2) */
interface Growing {
  readonly source: Source
  readonly members: (Field | { readonly name: string; readonly selection: Growing })[]
}

function addParent(selection: Growing, source: Source): Growing {
  const name = source.via!.field.definition.relationship!
  const known = selection.members.find(
    (member): member is { name: string; selection: Growing } => 'selection' in member && member.name === name,
  )
  if (known !== undefined) return known.selection
  const parent = { name, selection: { source, members: [] } }
  selection.members.push(parent)
  return parent.selection
}

function addField(root: Growing, { source, field }: FieldRef, item: FieldItem, scope: Scope): void {
  let selection = root
  for (const parent of scope.chain(source).slice(1)) selection = addParent(selection, parent)
  if (selection.members.includes(field)) {
    const path = item.path.segments.join('.')
    throw refusal('INVALID_FIELD', scope.text, item.at, `duplicate field selected: ${path}`)
  }
  selection.members.push(field)
}

function checkPlainField(item: SelectItem): asserts item is FieldItem {
  if (item.kind !== 'field') {
    throw new ApiError('MALFORMED_QUERY', `This kind of selected item is not supported yet: ${item.kind}`)
  }
  if (item.alias !== undefined) {
    throw new ApiError('MALFORMED_QUERY', 'only aggregate expressions use field aliasing')
  }
}

/** The select list of a query that returns records. */
export function analyzeSelection(query: Query, scope: Scope): Selection {
  const root: Growing = { source: scope.root, members: [] }
  for (const item of query.items) {
    checkPlainField(item)
    addField(root, scope.resolve(item.path), item, scope)
  }
  return root as Selection & { members: (Field | ParentSelection)[] }
}
