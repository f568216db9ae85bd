import type { Node } from './node.ts'

/** The length of the longest text that a part matches, or more. */
export function longest(node: Node): number {
  switch (node.kind) {
    case 'set':
      return 1
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + longest(part), 0)
    case 'choice':
      return Math.max(...node.options.map(longest))
    case 'group':
    case 'atomic':
      return longest(node.body)
    case 'repeat': {
      const length = longest(node.body)
      return length === 0 || node.max === 0 ? 0 : length * node.max
    }
    case 'reference':
      return Number.POSITIVE_INFINITY
    default:
      return 0
  }
}
