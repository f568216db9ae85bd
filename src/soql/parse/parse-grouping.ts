import { isDateCall, parseExpression } from './parse-expression.ts'
import type { TokenStream } from './token-stream.ts'
import type { GroupItem, Grouping } from './tree.ts'

/** GROUP BY; undefined without one. (docs/reference/api/queries.md#groups) */
export function parseGrouping(stream: TokenStream): Grouping | undefined {
  if (!stream.skip('GROUP')) return
  stream.expect('BY')
  const { at } = stream.current
  for (const kind of ['rollup', 'cube'] as const) {
    if (!stream.isPair(kind.toUpperCase(), '(')) continue
    stream.take()
    return { kind, items: stream.parenthesized(parseGroupItems), at }
  }
  return { kind: 'plain', items: parseGroupItems(stream), at }
}

function parseGroupItems(stream: TokenStream): readonly GroupItem[] {
  return stream.list(parseGroupItem)
}

function parseGroupItem(stream: TokenStream): GroupItem {
  const name = stream.current
  const item = parseExpression(stream)
  if (item.kind === 'path' || isDateCall(item)) return item
  throw stream.unexpected(name)
}
