import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'

/**
 * Counts the fields of a document's operations, those of a fragment once per spread: fragments that spread one
 * another expand a few lines to millions of fields. Counts are cached per fragment, so the cost is linear in the document.
 */
export function countFields({ definitions }: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  }
  const counts = new Map<string, number>()
  const countFragment = (name: string): number => {
    const known = counts.get(name)
    if (known !== undefined) return known
    // Validation rejects fragments that spread themselves.
    counts.set(name, 0)
    const fragment = fragments.get(name)
    // A spread counts too: reading an empty fragment has a cost.
    const count = fragment === undefined ? 1 : 1 + countSet(fragment.selectionSet)
    counts.set(name, count)
    return count
  }
  const countSet = ({ selections }: SelectionSetNode): number => {
    let count = 0
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) count += countFragment(selection.name.value)
      else count += 1 + (selection.selectionSet === undefined ? 0 : countSet(selection.selectionSet))
    }
    return count
  }
  let count = 0
  for (const node of definitions) {
    if (node.kind === Kind.OPERATION_DEFINITION) count += countSet(node.selectionSet)
  }
  return count
}
