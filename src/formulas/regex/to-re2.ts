import type { Node } from './node.ts'

const suffix = (min: number, max: number): string => {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`
}

const all = (nodes: readonly Node[], show: (node: Node, index: number) => string | undefined) => {
  const shown = nodes.map(show)
  return shown.includes(undefined) ? undefined : (shown as string[])
}

/**
 * The pattern of re2 that matches the same whole texts, whatever matches first; undefined where there is none.
 * @param isLast nothing of the pattern follows: the last line end is the end
 */
export function toRe2(node: Node, isLast = true): string | undefined {
  switch (node.kind) {
    case 'set':
      return node.set.re2
    case 'sequence':
      return all(node.parts, (part, index) => toRe2(part, isLast && index === node.parts.length - 1))?.join(
        '',
      )
    case 'choice': {
      const options = all(node.options, (option) => toRe2(option, isLast))
      return options && `(?:${options.join('|')})`
    }
    case 'group': {
      const body = toRe2(node.body, isLast)
      return body === undefined ? undefined : `(?:${body})`
    }
    case 'repeat': {
      if (node.greed === 'possessive') return undefined
      const body = toRe2(node.body, false)
      return body === undefined ? undefined : `(?:${body})${suffix(node.min, node.max)}`
    }
    case 'place':
      if (node.place === 'start') return '\\A'
      return node.place === 'end' || (node.place === 'last line end' && isLast) ? '\\z' : undefined
    default:
      return undefined
  }
}

/** Characters of a pattern with its repetitions written out: `a{10}` has 10. */
export function expandedSize(node: Node): number {
  const sum = (nodes: readonly Node[]) => nodes.reduce((size, one) => size + expandedSize(one), 0)
  switch (node.kind) {
    case 'sequence':
      return sum(node.parts)
    case 'choice':
      return sum(node.options) + node.options.length
    case 'group':
    case 'atomic':
    case 'look':
      return expandedSize(node.body) + 1
    case 'repeat': {
      const isEndless = node.max === Number.POSITIVE_INFINITY
      const times = Math.max(1, node.min, isEndless ? 0 : node.max)
      return Math.max(1, expandedSize(node.body)) * times + (isEndless ? 1 : 0)
    }
    default:
      return 1
  }
}
