import type { FieldPath } from './function-call.ts'
import { parseCondition } from './parse-condition.ts'
import { parseFromChildren } from './parse-from.ts'
import { parseCount } from './parse-literal.ts'
import { parseName, parsePath } from './parse-name.ts'
import { parseOrderBy } from './parse-order.ts'
import { parsePlainItem } from './parse-select-item.ts'
import type { TokenStream } from './token-stream.ts'
import type { ChildQuery, SelectItem, TypeofBranch, TypeofItem } from './tree.ts'

/** SELECT and its list. (docs/reference/api/queries.md#select-list) */
export function parseSelect(stream: TokenStream): readonly SelectItem[] {
  stream.expect('SELECT')
  return stream.list(parseSelectItem)
}

function parseSelectItem(stream: TokenStream): SelectItem {
  if (stream.is('(')) return parseChildQuery(stream)
  // TYPEOF can also be the name of a field; then no second name follows.
  if (stream.is('TYPEOF') && stream.next.kind === 'word' && stream.next.key !== 'FROM') {
    return parseTypeof(stream)
  }
  return parsePlainItem(stream)
}

/** (docs/reference/api/queries.md#children) */
function parseChildQuery(stream: TokenStream): ChildQuery {
  const { at } = stream.current
  return stream.parenthesized(() => {
    const items = parseSelect(stream)
    const from = parseFromChildren(stream)
    const where = stream.skip('WHERE') ? parseCondition(stream) : undefined
    const orderBy = parseOrderBy(stream)
    const limit = stream.skip('LIMIT') ? parseCount(stream) : undefined
    const offset = stream.skip('OFFSET') ? parseCount(stream) : undefined
    return { kind: 'childQuery', items, from, where, orderBy, limit, offset, at }
  })
}

/** (docs/reference/api/queries.md#typeof) */
function parseTypeof(stream: TokenStream): TypeofItem {
  const { at } = stream.take()
  const path = parsePath(stream)
  const branches: TypeofBranch[] = []
  do branches.push(parseBranch(stream))
  while (stream.is('WHEN'))
  const otherwise = stream.skip('ELSE') ? parseFieldList(stream) : undefined
  stream.expect('END')
  return { kind: 'typeof', path, branches, otherwise, at }
}

function parseBranch(stream: TokenStream): TypeofBranch {
  const { at } = stream.expect('WHEN')
  const object = parseName(stream)
  stream.expect('THEN')
  return { kind: 'typeofBranch', object, fields: parseFieldList(stream), at }
}

function parseFieldList(stream: TokenStream): readonly FieldPath[] {
  return stream.list(parsePath)
}
