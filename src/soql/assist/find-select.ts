import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { Token } from '../parse/token.ts'
import type { Clause } from './assistance.ts'

/** Words that begin a part of a query, with what they are called here. */
const CLAUSES: ReadonlyMap<string, Clause> = new Map([
  ['SELECT', 'select'],
  ['FROM', 'from'],
  ['USING', 'using'],
  ['WHERE', 'where'],
  ['WITH', 'with'],
  ['GROUP', 'group'],
  ['HAVING', 'having'],
  ['ORDER', 'order'],
  ['LIMIT', 'count'],
  ['OFFSET', 'count'],
  ['FOR', 'for'],
])

/** One SELECT of a text, whole or not. */
export interface Select {
  readonly kind: 'query' | 'child' | 'semiJoin'
  readonly outer: Select | undefined
  /** Its tokens without those of SELECTs inside it. */
  readonly tokens: Token[]
  /** Where in `tokens` each of its clauses begins. */
  readonly clauses: { readonly clause: Clause; readonly index: number }[]
  /** The tokens of FROM up to the next clause. */
  readonly from: Token[]
}

/** Deeper than any query may be. */
const MAX_NESTING = 100

interface Open {
  readonly select: Select
  /** How many parentheses are open in it. */
  depth: number
}

const begin = (kind: Select['kind'], outer: Select | undefined): Open => ({
  select: { kind, outer, tokens: [], clauses: [], from: [] },
  depth: 0,
})

/** Words that are names here: right behind a point, or where they cannot begin a clause. */
function findClause(select: Select, token: Token, before: Token | undefined): Clause | undefined {
  const clause = CLAUSES.get(token.key)
  if (clause === undefined || (before?.key === '.' && before.end === token.at)) return undefined
  // Group is an object, and what stands right behind FROM is a name.
  return before?.key === 'FROM' && select.clauses.at(-1)?.clause === 'from' ? undefined : clause
}

/**
 * The SELECT that a place in a text belongs to, with all of its tokens, also those behind the place.
 * @param position undefined where there is nothing of a query yet
 */
export function findSelect(tokens: readonly Token[], position: number): Select | undefined {
  const stack: Open[] = []
  let found: Select | undefined
  const settle = (upTo: number) => {
    if (found === undefined && upTo >= position) found = stack.at(-1)?.select
  }
  for (const [index, token] of tokens.entries()) {
    // A place at the beginning of a token belongs to what is before it, unless that is another SELECT.
    if (token.at >= position) settle(token.at)
    const next = tokens[index + 1]
    if (token.key === '(' && next?.key === 'SELECT' && stack.length > 0 && stack.length < MAX_NESTING) {
      const outer = stack.at(-1)!.select
      outer.tokens.push(token)
      stack.push(begin(tokens[index - 1]?.key === 'IN' ? 'semiJoin' : 'child', outer))
      continue
    }
    if (stack.length === 0) {
      if (token.key !== 'SELECT') continue
      stack.push(begin('query', undefined))
    }
    const open = stack.at(-1)!
    if (token.key === ')' && open.depth === 0 && stack.length > 1) {
      if (token.end > position) settle(token.end)
      stack.pop()
      stack.at(-1)!.select.tokens.push(token)
      continue
    }
    if (token.key === '(') open.depth++
    if (token.key === ')') open.depth--
    const { select } = open
    const clause = open.depth === 0 ? findClause(select, token, select.tokens.at(-1)) : undefined
    if (clause !== undefined) select.clauses.push({ clause, index: select.tokens.length })
    else if (select.clauses.at(-1)?.clause === 'from') select.from.push(token)
    select.tokens.push(token)
  }
  return found ?? stack.at(-1)?.select
}

/** Names of a FROM that stand for the object, in lower case. */
export function findAliases({ from }: Select): readonly string[] {
  const comma = from.findIndex(({ key }) => key === ',')
  const first = comma < 0 ? from : from.slice(0, comma)
  return first.filter(({ kind }) => kind === 'word').map(({ text }) => text.toLowerCase())
}

/** The object whose records a SELECT is about; undefined: it names none that the caller can see. */
export function findSelected(select: Select, schema: SchemaSnapshot): ObjectType | undefined {
  const { from, outer } = select
  const [first, second, third] = from
  if (first === undefined) return undefined
  if (select.kind !== 'child') return schema.object(first.text)
  const relationship = second?.key === '.' ? third : first
  const parent = outer === undefined ? undefined : findSelected(outer, schema)
  const child = relationship === undefined ? undefined : parent?.child(relationship.text)
  return child === undefined ? undefined : schema.object(child.childObject)
}
