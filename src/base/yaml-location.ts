import { type Document, isMap, isPair, isScalar, type Scalar } from 'yaml'

/** Offset of a path in its YAML document: of its key if it has one. */
export function offsetIn(document: Document, path: readonly (string | number)[]): number {
  let node: unknown = document.contents
  let offset = 0
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      if (!isPair(pair)) break
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset
      node = pair.value
      continue
    }
    const inside = (node as { get?(key: unknown, keep: boolean): unknown } | undefined)?.get?.(step, true)
    if (inside === undefined) break
    node = inside
    offset = (node as { range?: [number] }).range?.[0] ?? offset
  }
  return offset
}

/** Offset of the first character of a scalar: behind its quote, or the header of its block. */
function findStart(source: string, { range, type }: Scalar): number {
  const at = range![0]
  if (type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED') return source.indexOf('\n', at) + 1
  return type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' ? at + 1 : at
}

const isSpace = (character: string | undefined) => character !== undefined && ' \t\r\n'.includes(character)

/**
 * Offset in a YAML document of a character of a text at a path. The characters of the text stand in the source in the same order; what
 * else stands there, such as indentation and the backslashes of escapes, is passed over.
 * @param source the document as text
 */
export function offsetInText(
  source: string,
  document: Document,
  path: readonly (string | number)[],
  index: number,
): number {
  const node = document.getIn(path, true)
  if (!isScalar(node) || typeof node.value !== 'string') return offsetIn(document, path)
  let at = findStart(source, node)
  const end = node.range![1]
  for (const character of node.value.slice(0, index)) {
    if (isSpace(character)) continue
    while (at < end && !source.startsWith(character, at)) at++
    at += character.length
  }
  // The next character is behind the spaces that come before it.
  const next = node.value[index]
  while (next !== undefined && !isSpace(next) && at < end && source[at] !== next) at++
  return Math.min(at, end)
}
