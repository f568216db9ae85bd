import { type Document, isMap, isPair, isScalar } from 'yaml'

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
