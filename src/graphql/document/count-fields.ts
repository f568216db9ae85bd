import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'

/**
 * How many fields the operations of a document ask for, those of a fragment at each place where it is spread: fragments that spread one
 * another make millions of fields of a few lines. Each fragment is counted once, so counting takes as long as the document.
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
    // One that spreads itself is refused by the rules.
    counts.set(name, 0)
    const fragment = fragments.get(name)
    // A spread counts too: somebody has to look into an empty fragment.
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
