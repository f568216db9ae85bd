import type { FieldPath } from './field-path.ts'
import { parseCondition } from './parse-condition.ts'
import { parseOrderItem } from './parse-order.ts'
import { TokenStream } from './token-stream.ts'
import type { Condition, OrderItem } from './tree.ts'

/** The whole text, and nothing after it that would mean something else in a query. */
function parseAll<Part>(text: string, parse: (stream: TokenStream) => Part): Part {
  const stream = new TokenStream(text)
  const part = parse(stream)
  if (stream.current.kind !== 'end') throw stream.unexpected()
  return part
}

/**
 * The condition of a list view, by itself.
 * @throws ApiError MALFORMED_QUERY
 */
export const parseViewCondition = (text: string): Condition => parseAll(text, parseCondition)

/** The order of a list view, by itself. */
export const parseViewOrder = (text: string): readonly OrderItem[] =>
  parseAll(text, (stream) => stream.list(parseOrderItem))

export const isPath = (by: OrderItem['by']): by is FieldPath => by.kind === 'path'
