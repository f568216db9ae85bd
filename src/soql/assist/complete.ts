import { isQueryable } from '../../schema/describe/describe-object.ts'
import { supportedScopes } from '../../schema/describe/supported-scopes.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { AGGREGATE_FUNCTIONS, DATE_FUNCTIONS } from '../parse/function-names.ts'
import type { Token } from '../parse/token.ts'
import type { Clause, Completion, Completions } from './assistance.ts'
import {
  findParent,
  keywords,
  listChildren,
  listFields,
  listFunctions,
  listObjects,
  listOperators,
  listValues,
  SELECTED_FUNCTIONS,
} from './completion.ts'
import { findAliases, findSelect, findSelected, type Select } from './find-select.ts'

const MAX_ITEMS = 500

/** Clauses that may follow each clause. */
const NEXT: Readonly<Record<Clause, readonly string[]>> = {
  select: ['FROM'],
  from: ['WHERE', 'ORDER BY', 'GROUP BY', 'LIMIT', 'USING SCOPE', 'WITH', 'FOR VIEW'],
  using: ['WHERE', 'ORDER BY', 'LIMIT'],
  where: ['AND', 'OR', 'ORDER BY', 'GROUP BY', 'LIMIT', 'WITH'],
  with: ['GROUP BY', 'ORDER BY', 'LIMIT'],
  group: ['HAVING', 'ORDER BY', 'LIMIT'],
  having: ['AND', 'OR', 'ORDER BY', 'LIMIT'],
  order: ['ASC', 'DESC', 'NULLS FIRST', 'NULLS LAST', 'LIMIT', 'OFFSET', 'FOR VIEW'],
  count: ['OFFSET', 'FOR VIEW', 'FOR REFERENCE'],
  for: [],
}

const COMPARISONS = ['=', '!=', '<>', '<', '<=', '>', '>=', 'LIKE']
const LISTS = ['IN', 'INCLUDES', 'EXCLUDES']

/** One place in a SELECT. */
interface Place {
  readonly schema: SchemaSnapshot
  readonly select: Select
  readonly object: ObjectType
  readonly clause: Clause
  /** The tokens before the place, from the beginning of its clause on. */
  readonly before: readonly Token[]
}

/** The words of a path that ends with a token: `Account`, `Owner` of `Account.Owner.`. */
function readPath(tokens: readonly Token[], last: number): string[] {
  const words: string[] = []
  for (let i = last; tokens[i]?.kind === 'word'; i -= 2) {
    words.unshift(tokens[i]!.text)
    if (tokens[i - 1]?.key !== '.') break
  }
  return words
}

/** The object at the end of a path of relationships. */
function follow({ select, object, schema }: Place, path: readonly string[]): ObjectType | undefined {
  const isNamed = path[0] !== undefined && findAliases(select).includes(path[0].toLowerCase())
  let at: ObjectType | undefined = object
  for (const name of isNamed ? path.slice(1) : path) {
    const reference: Field | undefined = at?.parent(name)
    at = reference === undefined ? undefined : findParent(reference, schema)
  }
  return at
}

/** The field whose name ends with a token, also as the argument of a function. */
function findField(place: Place, last: number): Field | undefined {
  const { before } = place
  const path = readPath(before, before[last]?.key === ')' ? last - 1 : last)
  const name = path.at(-1)
  return name === undefined ? undefined : follow(place, path.slice(0, -1))?.field(name)
}

/** Objects and fields of a TYPEOF that is not at its end; undefined: the place is in none. */
function completeTypeof({ before, schema }: Place): Completion[] | undefined {
  const from = before.findLastIndex(({ key }) => key === 'TYPEOF' || key === 'END')
  if (before[from]?.key !== 'TYPEOF') return undefined
  const word = before.findLastIndex(({ key }) => ['WHEN', 'THEN', 'ELSE'].includes(key))
  if (word < from) return keywords('WHEN')
  if (before[word]!.key === 'WHEN')
    return word === before.length - 1 ? listObjects(schema.objects) : keywords('THEN')
  const isExpected = word === before.length - 1 || before.at(-1)!.key === ','
  if (!isExpected) return keywords('WHEN', 'ELSE', 'END')
  const when = before.findLastIndex(({ key }, index) => key === 'WHEN' && index < word)
  const object = before[word]!.key === 'THEN' ? schema.object(before[when + 1]?.text ?? '') : undefined
  return object === undefined ? [] : listFields(object, schema)
}

function completeSelect(place: Place): Completion[] {
  const { before, object, schema, select } = place
  const inside = completeTypeof(place)
  if (inside !== undefined) return inside
  const last = before.at(-1)!
  if (last.key === '(') return listFields(object, schema)
  if (!['SELECT', ','].includes(last.key)) return keywords(...NEXT.select)
  const children =
    select.kind === 'query' ? listChildren(object, schema, (name) => `(SELECT Id FROM ${name})`) : []
  return [...listFields(object, schema), ...children, ...SELECTED_FUNCTIONS, ...keywords('TYPEOF')]
}

/** Conditions: an operand, its operator, its value, and what connects it to the next one. */
function completeCondition(place: Place): Completion[] {
  const { before, object, schema, clause } = place
  const last = before.at(-1)!
  const index = before.length - 1
  if (COMPARISONS.includes(last.key)) {
    const field = findField(place, index - 1)
    return field === undefined ? [] : listValues(field)
  }
  const open = findOpenList(before)
  if (open !== undefined) {
    if (last.key !== '(' && last.key !== ',') return []
    const isNegated = before[open - 1]?.key === 'NOT'
    const field = findField(place, open - (isNegated ? 2 : 1))
    const values = field === undefined ? [] : listValues(field)
    return before[open]!.key === 'IN' && last.key === '(' ? [...values, ...keywords('SELECT')] : values
  }
  if (['WHERE', 'HAVING', 'AND', 'OR', 'NOT', '('].includes(last.key)) {
    const functions = listFunctions(clause === 'having' ? AGGREGATE_FUNCTIONS : DATE_FUNCTIONS)
    return [...listFields(object, schema), ...functions, ...keywords('NOT')]
  }
  const isOperand = isEndOfOperand(before)
  return isOperand ? listOperators(findField(place, index)) : keywords(...NEXT[clause])
}

/** Where the IN, INCLUDES or EXCLUDES of a list is whose parenthesis is open; undefined: none is. */
function findOpenList(before: readonly Token[]): number | undefined {
  const open = before.findLastIndex(({ key }) => key === '(')
  if (open < 1 || before.slice(open).some(({ key }) => key === ')')) return undefined
  return LISTS.includes(before[open - 1]!.key) ? open - 1 : undefined
}

/** True if the tokens end with an operand, and not with a value. */
function isEndOfOperand(before: readonly Token[]): boolean {
  const last = before.at(-1)!
  let first = before.length - 1
  if (last.key === ')') {
    // A function of a field; a list and a group of conditions are whole.
    first = before.findLastIndex(({ key }) => key === '(') - 1
    const name = before[first]
    if (name?.kind !== 'word' || LISTS.includes(name.key) || ['WHERE', 'AND', 'OR', 'NOT'].includes(name.key))
      return false
  } else {
    if (last.kind !== 'word') return false
    while (before[first - 1]?.key === '.') first -= 2
  }
  const previous = before[first - 1]?.key ?? ''
  return ['WHERE', 'HAVING', 'AND', 'OR', 'NOT', '('].includes(previous)
}

function completeFrom(place: Omit<Place, 'object'>): Completion[] {
  const { before, schema, select } = place
  const last = before.at(-1)!
  if (last.key !== 'FROM' && last.key !== '.') return keywords(...NEXT.from)
  if (select.kind !== 'child') {
    return last.key === '.' ? [] : listObjects(schema.objects.filter(isQueryable))
  }
  const parent = select.outer === undefined ? undefined : findSelected(select.outer, schema)
  return parent === undefined ? [] : listChildren(parent, schema, (name) => name)
}

function completeList({ before, object, schema, clause }: Place): Completion[] {
  const last = before.at(-1)!
  if (last.key === 'GROUP' || last.key === 'ORDER') return keywords('BY')
  if (!['BY', ',', '('].includes(last.key)) return keywords(...NEXT[clause])
  const functions = clause === 'group' ? DATE_FUNCTIONS : [...AGGREGATE_FUNCTIONS, ...DATE_FUNCTIONS]
  const further = clause === 'group' && last.key === 'BY' ? ['ROLLUP', 'CUBE'] : []
  return [...listFields(object, schema), ...listFunctions([...functions, ...further])]
}

function completeUsing({ before, object, clause }: Place): Completion[] {
  const last = before.at(-1)!
  if (last.key === 'USING') return keywords('SCOPE')
  if (last.key !== 'SCOPE') return keywords(...NEXT[clause])
  return keywords(...supportedScopes(object).map(({ name }) => name))
}

function completeOther({ before, clause }: Place): Completion[] {
  const { key } = before.at(-1)!
  if (key === 'WITH') return keywords('SECURITY_ENFORCED', 'USER_MODE', 'SYSTEM_MODE')
  if (key === 'FOR') return keywords('VIEW', 'REFERENCE', 'UPDATE')
  return key === 'LIMIT' || key === 'OFFSET' ? [] : keywords(...NEXT[clause])
}

function completeIn(place: Place): Completion[] {
  const { before, schema, clause } = place
  // A path goes on: only what the object at its end has.
  if (before.at(-1)!.key === '.') {
    const object = follow(place, readPath(before, before.length - 2))
    return object === undefined ? [] : listFields(object, schema)
  }
  switch (clause) {
    case 'select':
      return completeSelect(place)
    case 'where':
    case 'having':
      return completeCondition(place)
    case 'group':
    case 'order':
      return completeList(place)
    case 'using':
      return completeUsing(place)
    default:
      return completeOther(place)
  }
}

function listAt(
  tokens: readonly Token[],
  schema: SchemaSnapshot,
  position: number,
): Pick<Completions, 'clause' | 'items'> {
  const select = findSelect(tokens, position)
  const written = select?.tokens.filter(({ end, at }) => end <= position && at < position) ?? []
  const clause = select?.clauses.findLast(({ index }) => index < written.length)
  if (select === undefined || clause === undefined) return { items: keywords('SELECT') }
  const place = { schema, select, clause: clause.clause, before: written.slice(clause.index) }
  return { clause: clause.clause, items: completeAt(place) }
}

function completeAt(place: Omit<Place, 'object'>): Completion[] {
  const { schema, select, clause, before } = place
  if (clause === 'from') return completeFrom(place)
  const object = findSelected(select, schema)
  if (object !== undefined) return completeIn({ ...place, object })
  return clause === 'select' && !['SELECT', ','].includes(before.at(-1)!.key) ? keywords(...NEXT.select) : []
}

/** Returns the items that match the typed text: by prefix first, then by substring, then by label. */
function fitting(items: readonly Completion[], typed: string): Completion[] {
  const wanted = typed.toLowerCase()
  const ranked = items.map((item) => {
    const place = item.label.toLowerCase().indexOf(wanted)
    const isCalled = wanted.length > 1 && item.detail.toLowerCase().includes(wanted)
    return { item, rank: place === 0 ? 0 : place > 0 ? 1 : isCalled ? 2 : 3 }
  })
  return [0, 1, 2]
    .flatMap((wantedRank) => ranked.filter(({ rank }) => rank === wantedRank))
    .slice(0, MAX_ITEMS)
    .map(({ item }) => item)
}

/**
 * Lists completions at a position of a text that need not be a query yet.
 * @param schema what the caller can see
 */
export function complete(tokens: readonly Token[], schema: SchemaSnapshot, position: number): Completions {
  const typed = tokens.find(
    ({ kind, at, end }) => (kind === 'word' || kind === 'string') && at < position && position <= end,
  )
  const start = typed?.at ?? position
  const others = typed === undefined ? tokens : tokens.filter((token) => token !== typed || isWhole(token))
  const text = typed?.text.slice(0, position - start).replace(/^'/, '') ?? ''
  const { clause, items } = listAt(others, schema, start)
  return {
    start,
    end: typed?.end ?? position,
    ...(clause !== undefined && { clause }),
    items: fitting(items, text),
  }
}

/** Words that say what is around them stay, while others are being typed. */
const isWhole = ({ key }: Token) => key === 'SELECT' || key === 'FROM'
