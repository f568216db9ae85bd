import { decodeString } from './decode-string.ts'
import type { Expression, FieldPath } from './function-call.ts'
import type { Literal } from './literal.ts'
import { parseExpression } from './parse-expression.ts'
import { parseFromObject } from './parse-from.ts'
import { bindVariableError, parseLiteral, parsePattern } from './parse-literal.ts'
import { parsePlainItem } from './parse-select-item.ts'
import { malformedQuery } from './query-error.ts'
import type { TokenStream } from './token-stream.ts'
import type { ComparisonOperator, Condition, SemiJoinQuery } from './tree.ts'

/** One level: only ANDs, or only ORs, or one NOT. The caller rejects what follows. (docs/reference/api/queries.md#grammar) */
export function parseCondition(stream: TokenStream): Condition {
  const { at } = stream.current
  if (stream.skip('NOT')) return { kind: 'not', term: parseTerm(stream), at }
  const first = parseTerm(stream)
  const { key } = stream.current
  if (key !== 'AND' && key !== 'OR') return first
  const terms = [first]
  while (stream.skip(key)) terms.push(parseTerm(stream))
  return { kind: key === 'AND' ? 'and' : 'or', terms, at }
}

function parseTerm(stream: TokenStream): Condition {
  return stream.is('(') ? stream.parenthesized(parseCondition) : parseTest(stream)
}

/** `path operator value`, `path IN (...)`, `path INCLUDES (...)`. (docs/reference/api/queries.md#grammar, docs/reference/api/queries.md#operators) */
function parseTest(stream: TokenStream): Condition {
  const left = parseExpression(stream)
  if (left.kind === 'path' && stream.is('->')) return parseMemberComparison(stream, left)
  const { key } = stream.current
  switch (key) {
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return parseComparison(stream, left, key)
    case '<>':
      return parseComparison(stream, left, '!=')
    case 'LIKE':
      stream.take()
      return { kind: 'like', left, value: parsePattern(stream), at: left.at }
    case 'IN':
      stream.take()
      return parseIn(stream, left, false)
    case 'NOT':
      stream.take()
      stream.expect('IN')
      return parseIn(stream, left, true)
    case 'INCLUDES':
    case 'EXCLUDES':
      stream.take()
      return {
        kind: 'includes',
        negated: key === 'EXCLUDES',
        left,
        values: parseValueList(stream),
        at: left.at,
      }
    default:
      throw stream.unexpected()
  }
}

function parseComparison(stream: TokenStream, left: Expression, operator: ComparisonOperator): Condition {
  stream.take()
  return { kind: 'comparison', operator, left, value: parseLiteral(stream), at: left.at }
}

/** No document has more levels. */
const MAX_MEMBERS = 32

/** The name of a member: a word, or in quotes. */
function parseMember(stream: TokenStream): string {
  const { kind } = stream.current
  if (kind === 'string') return decodeString(stream.take().text)
  if (kind !== 'word') throw stream.unexpected()
  return stream.take().text
}

function parseMemberComparison(stream: TokenStream, path: FieldPath): Condition {
  const members: string[] = []
  while (stream.skip('->')) members.push(parseMember(stream))
  if (members.length > MAX_MEMBERS)
    throw malformedQuery(`a path into a document may have at most ${MAX_MEMBERS} members`)
  const { key } = stream.current
  if (key !== '=' && key !== '!=' && key !== '<>') throw stream.unexpected()
  stream.take()
  return {
    kind: 'memberComparison',
    negated: key !== '=',
    path,
    members,
    value: parseLiteral(stream),
    at: path.at,
  }
}

function parseIn(stream: TokenStream, left: Expression, negated: boolean): Condition {
  return stream.isPair('(', 'SELECT')
    ? { kind: 'semiJoin', negated, left, query: stream.parenthesized(parseSemiJoinQuery), at: left.at }
    : { kind: 'in', negated, left, values: parseValueList(stream), at: left.at }
}

function parseValueList(stream: TokenStream): readonly Literal[] {
  if (!stream.is('(') && stream.current.kind !== 'end') throw bindVariableError()
  return stream.parenthesized(() => stream.list(parseLiteral))
}

function parseSemiJoinQuery(stream: TokenStream): SemiJoinQuery {
  const { at } = stream.expect('SELECT')
  const items = stream.list(parsePlainItem)
  const from = parseFromObject(stream)
  const where = stream.skip('WHERE') ? parseCondition(stream) : undefined
  return { kind: 'semiJoinQuery', items, from, where, at }
}
