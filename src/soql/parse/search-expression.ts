/** A search text, parsed into AND, OR, NOT and phrases. (docs/reference/api/search.md#search) */
export type SearchExpression =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly SearchExpression[] }
  | { readonly kind: 'not'; readonly term: SearchExpression }
  | SearchPhrase

/** One word, or several adjacent ones. */
export interface SearchPhrase {
  readonly kind: 'phrase'
  readonly words: readonly SearchWord[]
}

export interface SearchWord {
  /** As typed, up to the first wildcard. Never empty. */
  readonly text: string
  /** Any characters may follow: `acm*`. */
  readonly isPrefix: boolean
  /** The whole word, if it has wildcards before its end: `*` for any characters, `?` for one. */
  readonly pattern?: string
}

/** True if any word has wildcards before its end. */
export function hasPatterns(search: SearchExpression): boolean {
  if (search.kind === 'phrase') return search.words.some((word) => word.pattern !== undefined)
  return search.kind === 'not' ? hasPatterns(search.term) : search.terms.some(hasPatterns)
}

/** The search without its NOT terms; undefined when no other terms are required. */
export function getRequiredPart(search: SearchExpression): SearchExpression | undefined {
  switch (search.kind) {
    case 'phrase':
      return search
    case 'not':
      return undefined
    case 'and': {
      const terms = search.terms.flatMap((term) => getRequiredPart(term) ?? [])
      return terms.length === 0 ? undefined : { kind: 'and', terms }
    }
    case 'or': {
      const terms = search.terms.map(getRequiredPart)
      const known = terms.filter((term) => term !== undefined)
      return known.length < terms.length ? undefined : { kind: 'or', terms: known }
    }
  }
}
