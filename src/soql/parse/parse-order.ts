import { parseExpression } from './parse-expression.ts'
import type { TokenStream } from './token-stream.ts'
import type { OrderItem } from './tree.ts'

/** ORDER BY; empty without one. (docs/reference/api/queries.md#order-limit-and-offset) */
export function parseOrderBy(stream: TokenStream): readonly OrderItem[] {
  if (!stream.skip('ORDER')) return []
  stream.expect('BY')
  return stream.list(parseOrderItem)
}

/** `Name DESC NULLS LAST` */
export function parseOrderItem(stream: TokenStream): OrderItem {
  const by = parseExpression(stream)
  const direction = stream.skip('ASC') ? 'ASC' : stream.skip('DESC') ? 'DESC' : undefined
  const nulls = stream.skip('NULLS') ? stream.expectOneOf(['FIRST', 'LAST']) : undefined
  return { kind: 'order', by, direction, nulls, at: by.at }
}
