import { type Sql, sql } from '../../base/sql.ts'
import { isSince, isWithin, type Span } from '../../schema/change/search-index.sql.ts'
import {
  foldLatin,
  SEARCH_WEIGHTS,
  type SearchGroup,
  searchedText,
  searchVector,
} from '../../schema/change/search-words.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import {
  getRequiredPart,
  hasPatterns,
  type SearchExpression,
  type SearchPhrase,
} from '../parse/search-expression.ts'
import type { Filter, RowsPlan, Source } from '../plan/plan.ts'

/** Searches as SQL: PostgreSQL's full-text search over the indexed words of a record. */

type Groups = readonly SearchGroup[] | undefined

const getWeights = (groups: Groups) => (groups ?? []).map((group) => SEARCH_WEIGHTS[group]).join('')

/** A phrase in the syntax of `to_tsquery`; quotes keep words from being operators. */
function formatPhrase({ words }: SearchPhrase, groups: Groups): string {
  const texts = words.map(({ text, isPrefix: open, pattern }) => {
    const quoted = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    const marks = `${open || pattern !== undefined ? '*' : ''}${getWeights(groups)}`
    return marks === '' ? quoted : `${quoted}:${marks}`
  })
  return `(${texts.join(' <-> ')})`
}

function formatQuery(search: SearchExpression, groups: Groups): string {
  switch (search.kind) {
    case 'phrase':
      return formatPhrase(search, groups)
    case 'not':
      return `!${formatQuery(search.term, groups)}`
    case 'and':
    case 'or': {
      const terms = search.terms.map((term) => formatQuery(term, groups))
      return `(${terms.join(search.kind === 'and' ? ' & ' : ' | ')})`
    }
  }
}

const matches = (vector: Sql, search: SearchExpression, groups: Groups) =>
  sql`${vector} @@ to_tsquery('simple', ${foldLatin(sql`${formatQuery(search, groups)}`)})`

/** The LIKE pattern of a word with wildcards: it has only letters, digits, `*` and `?`. */
const likePattern = (pattern: string) => pattern.replaceAll('*', '%').replaceAll('?', '_')

/** True if a record has a word that matches a pattern; evaluated only for records with a word of the same prefix. */
function hasWordLike(vector: Sql, pattern: string, groups: Groups): Sql {
  const words =
    groups === undefined
      ? vector
      : sql`ts_filter(${vector}, ${[...getWeights(groups).toLowerCase()]}::"char"[])`
  return sql`exists (select from unnest(tsvector_to_array(${words})) as word where word like lower(${foldLatin(sql`${likePattern(pattern)}`)}))`
}

/** With wildcards inside words, phrases become separate conditions: only some of them need to scan the words. */
function compileParts(vector: Sql, search: SearchExpression, groups: Groups): Sql {
  switch (search.kind) {
    case 'phrase': {
      const patterns = search.words.flatMap(({ pattern }) => pattern ?? [])
      const conditions = patterns.map((pattern) => hasWordLike(vector, pattern, groups))
      return sql`(${sql.join([matches(vector, search, groups), ...conditions], ' and ')})`
    }
    case 'not':
      return sql`not ${compileParts(vector, search.term, groups)}`
    case 'and':
    case 'or': {
      const terms = search.terms.map((term) => compileParts(vector, term, groups))
      return sql`(${sql.join(terms, search.kind === 'and' ? ' and ' : ' or ')})`
    }
  }
}

function compileOn(vector: Sql, search: SearchExpression, groups: Groups): Sql {
  return hasPatterns(search) ? compileParts(vector, search, groups) : matches(vector, search, groups)
}

const LETTERS_AND_DIGITS = /^[\p{L}\p{N}]+$/u
const DIGITS = /^\d+$/

const shortest = (words: readonly string[]) => Math.min(...words.map((word) => word.length))

/** Words of which the texts of a found record contain one, as few and as long as possible; undefined if that cannot be said. */
function listContained(search: SearchExpression): readonly string[] | undefined {
  if (search.kind === 'not') return undefined
  const parts =
    search.kind === 'phrase'
      ? search.words.map(({ text }) => (LETTERS_AND_DIGITS.test(text) ? [text] : undefined))
      : search.terms.map(listContained)
  const known = parts.filter((part) => part !== undefined)
  if (search.kind === 'or') return known.length < parts.length ? undefined : known.flat()
  return known.sort((a, b) => shortest(b) - shortest(a))[0]
}

/**
 * False for most records that a search does not find, at a tenth of the cost of making their words. Of texts that are ASCII, words are
 * parts; all others are taken.
 */
function mayMatch(object: ObjectType, alias: string, search: SearchExpression): Sql[] {
  const words = listContained(search)
  if (words === undefined) return []
  const text = searchedText(
    object,
    alias,
    words.some((word) => DIGITS.test(word)),
  )
  const patterns = words.map((word) => sql`'%' || lower(${foldLatin(sql`${word}`)} collate "C") || '%'`)
  return [
    sql`(lower(${text} collate "C") like any (array[${sql.join(patterns)}]) or octet_length(${text}) <> char_length(${text}))`,
  ]
}

/** A condition that indexes help with, for each of their spans, and for the records behind the last one. */
function inSpans(indexed: readonly Span[], alias: string, condition: Sql, behind: readonly Sql[]): Sql {
  const last = indexed.at(-1)?.until ?? 0
  const all = indexed.map((span) => sql`(${isWithin(span, alias)} and ${condition})`)
  if (last === Number.POSITIVE_INFINITY) return condition
  all.push(sql`(${sql.join([isSince(last, alias), ...behind, condition], ' and ')})`)
  // The best plan depends on the words.
  return sql`(${sql.join(all, ' or ')})`.replanned()
}

/**
 * The indexes have the words of all fields. For users who may not read all of them, the indexes only
 * preselect records, and the condition on the readable fields decides.
 */
export function compileSearch({ source, search, groups, indexed }: Filter & { kind: 'search' }): Sql {
  const { object, alias } = source
  const vector = searchVector(object, alias)
  if (vector === undefined) return sql`false`
  const all = object.unrestricted ?? object
  const whole = searchVector(all, alias)!
  const select = (condition: Sql) => inSpans(indexed, alias, condition, mayMatch(all, alias, search))
  if (whole.text === vector.text) return select(compileOn(vector, search, groups))
  const exact = compileOn(vector, search, groups)
  const required = getRequiredPart(search)
  return required === undefined ? exact : sql`(${select(compileOn(whole, required, groups))} and ${exact})`
}

function makeRelevance({ object, alias }: Source, text: string): Sql {
  const column = object.nameField?.column
  if (column === undefined) return sql`0`
  const name = sql`upper(${foldLatin(sql.id(alias, column))})`
  const wanted = sql`upper(${foldLatin(sql`${text}`)})`
  return sql`case when ${name} = ${wanted} then 0 when starts_with(${name}, ${wanted}) then 1 else 2 end`
}

/** Sorts records with exactly the searched name first, then those whose names start with it. */
export const relevanceKey = ({ sources: [root] }: RowsPlan, text: string): Sql => makeRelevance(root, text)
