import { parseLiteral } from './parse-literal.ts'
import { parseName, parsePath } from './parse-name.ts'
import type { TokenStream } from './token-stream.ts'
import type { DataCategoryFilter, VisibilitySetting, WithClause } from './tree.ts'

const MODES = ['SECURITY_ENFORCED', 'USER_MODE', 'SYSTEM_MODE'] as const

/** WITH; undefined without one. (docs/reference/api/queries.md#with, docs/reference/api/queries.md#order-limit-and-offset) */
export function parseWith(stream: TokenStream): WithClause | undefined {
  if (!stream.skip('WITH')) return
  const { at } = stream.current
  if (stream.isPair('DATA', 'CATEGORY')) return parseDataCategories(stream, at)
  if (stream.isPair('RECORDVISIBILITYCONTEXT', '(')) {
    stream.take()
    const settings = stream.parenthesized(() => stream.list(parseVisibilitySetting))
    return { kind: 'withVisibility', settings, at }
  }
  for (const mode of MODES) if (stream.skip(mode)) return { kind: 'withMode', mode, at }
  const path = parsePath(stream)
  stream.expect('=')
  return { kind: 'withValue', path, value: parseLiteral(stream), at }
}

function parseDataCategories(stream: TokenStream, at: number): WithClause {
  stream.take()
  stream.take()
  const filters = [parseDataCategory(stream)]
  while (stream.skip('AND')) filters.push(parseDataCategory(stream))
  return { kind: 'withDataCategory', filters, at }
}

function parseDataCategory(stream: TokenStream): DataCategoryFilter {
  const group = parseName(stream)
  const operator = stream.expectOneOf(['AT', 'ABOVE', 'BELOW', 'ABOVE_OR_BELOW'])
  const categories = stream.is('(') ? stream.parenthesized(() => stream.list(parseName)) : [parseName(stream)]
  return { kind: 'dataCategory', group, operator, categories, at: group.at }
}

function parseVisibilitySetting(stream: TokenStream): VisibilitySetting {
  const name = parseName(stream)
  stream.expect('=')
  return { kind: 'visibilitySetting', name, value: parseLiteral(stream), at: name.at }
}
