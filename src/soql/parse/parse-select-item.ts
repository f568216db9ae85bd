import { parseExpression } from './parse-expression.ts'
import { parseSelectAlias } from './parse-name.ts'
import type { TokenStream } from './token-stream.ts'
import type { FieldsItem, PlainItem } from './tree.ts'

const GROUPS = ['ALL', 'CUSTOM', 'STANDARD'] as const

/** An item of a select list that is neither a query nor a TYPEOF. (docs/reference/api/queries.md#select-list) */
export function parsePlainItem(stream: TokenStream): PlainItem {
  const item = parseUnnamedItem(stream)
  return item.kind === 'fields' ? item : { ...item, alias: parseSelectAlias(stream) }
}

/** An item where no alias can follow. */
export function parseUnnamedItem(stream: TokenStream): PlainItem {
  if (stream.isPair('FIELDS', '(')) return parseFields(stream)
  const expression = parseExpression(stream)
  return expression.kind === 'path'
    ? { kind: 'field', path: expression, at: expression.at }
    : { kind: 'function', call: expression, at: expression.at }
}

function parseFields(stream: TokenStream): FieldsItem {
  const { at } = stream.take()
  const group = stream.parenthesized(() => stream.expectOneOf(GROUPS))
  return { kind: 'fields', group, at }
}
