import type { FieldPath } from './function-call.ts'
import { parseCondition } from './parse-condition.ts'
import { parseOrderItem } from './parse-order.ts'
import { TokenStream } from './token-stream.ts'
import type { Condition, OrderItem } from './tree.ts'

/** Parses the whole text: nothing may follow that would add a clause to a query. */
function parseAll<Part>(text: string, parse: (stream: TokenStream) => Part): Part {
  const stream = new TokenStream(text)
  const part = parse(stream)
  if (stream.current.kind !== 'end') throw stream.unexpected()
  return part
}

/**
 * The condition of a list view, without the query around it.
 * @throws ApiError MALFORMED_QUERY
 */
export const parseViewCondition = (text: string): Condition => parseAll(text, parseCondition)

/** The ORDER BY of a list view, without the query around it. */
export const parseViewOrder = (text: string): readonly OrderItem[] =>
  parseAll(text, (stream) => stream.list(parseOrderItem))

export const isPath = (by: OrderItem['by']): by is FieldPath => by.kind === 'path'
