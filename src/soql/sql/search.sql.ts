import { type Sql, sql } from '../../base/sql.ts'
import { SEARCH_WEIGHTS, type SearchGroup, searchVector } from '../../schema/change/search-index.sql.ts'
import {
  hasPatterns,
  requiredPart,
  type SearchExpression,
  type SearchPhrase,
} from '../parse/search-expression.ts'
import type { Filter, RowsPlan, Source } from '../plan/plan.ts'

/** Searches as SQL: PostgreSQL's full-text search over the words of a record, which its index holds. */

type Groups = readonly SearchGroup[] | undefined

const weightsOf = (groups: Groups) => (groups ?? []).map((group) => SEARCH_WEIGHTS[group]).join('')

/** A phrase in the language of `to_tsquery`; in quotes a word is nothing but a word. */
function phraseText({ words }: SearchPhrase, groups: Groups): string {
  const texts = words.map(({ text, open, pattern }) => {
    const quoted = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    const marks = `${open || pattern !== undefined ? '*' : ''}${weightsOf(groups)}`
    return marks === '' ? quoted : `${quoted}:${marks}`
  })
  return `(${texts.join(' <-> ')})`
}

function queryText(search: SearchExpression, groups: Groups): string {
  switch (search.kind) {
    case 'phrase':
      return phraseText(search, groups)
    case 'not':
      return `!${queryText(search.term, groups)}`
    case 'and':
    case 'or': {
      const terms = search.terms.map((term) => queryText(term, groups))
      return `(${terms.join(search.kind === 'and' ? ' & ' : ' | ')})`
    }
  }
}

const matches = (vector: Sql, search: SearchExpression, groups: Groups) =>
  sql`${vector} @@ to_tsquery('simple', ${queryText(search, groups)})`

/** A word with wildcards inside as a pattern for the whole word: it holds letters, digits, `*` and `?`. */
const likePattern = (pattern: string) => pattern.replaceAll('*', '%').replaceAll('?', '_')

/** Whether a record has a word that looks like a pattern; asked only of records whose words start like it. */
function hasWordLike(vector: Sql, pattern: string, groups: Groups): Sql {
  const words =
    groups === undefined
      ? vector
      : sql`ts_filter(${vector}, ${[...weightsOf(groups).toLowerCase()]}::"char"[])`
  return sql`exists (select from unnest(tsvector_to_array(${words})) as word where word like lower(${likePattern(pattern)}))`
}

/** With wildcards inside words the parts are separate conditions, for only some of them look at each word. */
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

/**
 * The index holds the words of all fields. Whoever may not read some of them searches the others: the index then only
 * finds the records that are looked at.
 */
export function compileSearch({ source, search, groups }: Filter & { kind: 'search' }): Sql {
  const { object, alias } = source
  const vector = searchVector(object, alias)
  if (vector === undefined) return sql`false`
  const whole = searchVector(object.unrestricted ?? object, alias)!
  if (whole.text === vector.text) return compileOn(vector, search, groups)
  const exact = compileOn(vector, search, groups)
  const required = requiredPart(search)
  return required === undefined ? exact : sql`(${compileOn(whole, required, groups)} and ${exact})`
}

function relevanceOf({ object, alias }: Source, text: string): Sql {
  const column = object.nameField?.column
  if (column === undefined) return sql`0`
  const [name, wanted] = [sql`upper(${sql.id(alias, column)})`, sql`upper(${text}::text)`]
  return sql`case when ${name} = ${wanted} then 0 when starts_with(${name}, ${wanted}) then 1 else 2 end`
}

/** Records that are named as was searched for come first, then those whose names start so. */
export const relevanceKey = ({ sources: [root] }: RowsPlan, text: string): Sql => relevanceOf(root, text)
