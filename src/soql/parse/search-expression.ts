/** What a search looks for, with AND, OR and NOT taken apart. (docs/reference/api/search.md#search) */
export type SearchExpression =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly SearchExpression[] }
  | { readonly kind: 'not'; readonly term: SearchExpression }
  | SearchPhrase

/** One word, or several that stand next to each other. */
export interface SearchPhrase {
  readonly kind: 'phrase'
  readonly words: readonly SearchWord[]
}

export interface SearchWord {
  /** As typed, up to the first wildcard. Never empty. */
  readonly text: string
  /** Any characters may follow: `acm*`. */
  readonly open: boolean
  /** With wildcards in other places: what the word looks like, `*` for any characters and `?` for one. */
  readonly pattern?: string
}

/** Whether a word somewhere has wildcards in other places than its end. */
export function hasPatterns(search: SearchExpression): boolean {
  if (search.kind === 'phrase') return search.words.some((word) => word.pattern !== undefined)
  return search.kind === 'not' ? hasPatterns(search.term) : search.terms.some(hasPatterns)
}

/** What must be found, without what must not; undefined when nothing must. */
export function requiredPart(search: SearchExpression): SearchExpression | undefined {
  switch (search.kind) {
    case 'phrase':
      return search
    case 'not':
      return undefined
    case 'and': {
      const terms = search.terms.flatMap((term) => requiredPart(term) ?? [])
      return terms.length === 0 ? undefined : { kind: 'and', terms }
    }
    case 'or': {
      const terms = search.terms.map(requiredPart)
      const known = terms.filter((term) => term !== undefined)
      return known.length < terms.length ? undefined : { kind: 'or', terms: known }
    }
  }
}
