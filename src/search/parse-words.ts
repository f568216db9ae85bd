import type { SearchExpression, SearchPhrase, SearchWord } from '../soql/parse/search-expression.ts'
import { checkSearchLength, malformedSearch } from './search-error.ts'
import { splitWords } from './split-words.ts'

/*
 * The text of a search: words, "phrases", AND, OR, AND NOT, parentheses. Adjacent words must all match.
 * NOT binds tightest, then AND, then OR. `*` matches any characters, `?` one; a word may not start with either.
 * (docs/reference/api/search.md#search)
 */

const MAX_NESTING = 100
const MIN_CHARACTERS = 2
/** Maximum words with wildcards before their end: for each, the database scans all words of a record. */
const MAX_PATTERNS = 50

/** A quoted phrase, a parenthesis, or text between spaces. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[()]|(?:[^\s()"\\]|\\.)+|["\\]/gsu

interface Token {
  /** An operator in lower case, a parenthesis, or `words`. */
  readonly kind: string
  readonly words: readonly SearchWord[]
  readonly at: number
}

const END: Token = { kind: 'end', words: [], at: 0 }

class WordsParser {
  readonly #text: string
  readonly #tokens: Token[]
  readonly #end: number
  #next = 0
  #nesting = 0

  constructor(text: string, from: number, to: number) {
    this.#text = text
    this.#end = to
    this.#tokens = this.#read(text.slice(from, to), from)
  }

  parse(): SearchExpression {
    this.#checkLength()
    const expression = this.#or()
    if (this.#current.kind !== 'end') throw this.#unexpected()
    return expression
  }

  #read(text: string, from: number): Token[] {
    const tokens: Token[] = []
    for (const { 0: piece, index } of text.matchAll(TOKEN)) {
      const at = from + index
      const operator = piece.toLowerCase()
      if (['and', 'or', 'not', '(', ')'].includes(operator)) tokens.push({ kind: operator, words: [], at })
      else if (piece === '"' || piece === '\\')
        throw malformedSearch(this.#text, at, `unexpected token: ${piece}`)
      else {
        const words = splitWords(piece)
        if (words.some((word) => word.text === '')) {
          throw malformedSearch(this.#text, at, 'A wildcard may not start a word')
        }
        if (words.length > 0) tokens.push({ kind: 'words', words, at })
      }
    }
    return tokens
  }

  #checkLength(): void {
    const words = this.#tokens.flatMap((token) => token.words)
    if (words.filter(({ pattern }) => pattern !== undefined).length > MAX_PATTERNS) {
      throw malformedSearch(
        this.#text,
        this.#tokens[0]!.at,
        `A search may have wildcards inside at most ${MAX_PATTERNS} words`,
      )
    }
    const characters = words.reduce(
      (sum, { text, pattern }) => sum + (pattern ?? text).replaceAll(/[*?]/g, '').length,
      0,
    )
    if (characters >= MIN_CHARACTERS) return
    const typed = words.map(({ text }) => text).join(' ')
    throw malformedSearch(
      this.#text,
      this.#tokens[0]?.at ?? this.#end,
      `search term must be longer than one character: ${typed}`,
    )
  }

  get #current(): Token {
    return this.#tokens[this.#next] ?? { ...END, at: this.#end }
  }

  #skip(kind: string): boolean {
    const found = this.#current.kind === kind
    if (found) this.#next++
    return found
  }

  #or(): SearchExpression {
    const terms = [this.#and()]
    while (this.#skip('or')) terms.push(this.#and())
    return terms.length === 1 ? terms[0]! : { kind: 'or', terms }
  }

  #and(): SearchExpression {
    const terms = [this.#one()]
    while (this.#skip('and') || ['words', '(', 'not'].includes(this.#current.kind)) {
      terms.push(this.#skip('not') ? { kind: 'not', term: this.#one() } : this.#one())
    }
    return terms.length === 1 ? terms[0]! : { kind: 'and', terms }
  }

  #one(): SearchExpression {
    const { kind, words } = this.#current
    if (kind === 'words') {
      this.#next++
      return { kind: 'phrase', words } satisfies SearchPhrase
    }
    if (kind !== '(' || this.#nesting === MAX_NESTING) throw this.#unexpected()
    this.#next++
    this.#nesting++
    const inner = this.#or()
    if (!this.#skip(')')) throw this.#unexpected()
    this.#nesting--
    return inner
  }

  #unexpected() {
    const { kind, at } = this.#current
    const what = kind === 'end' ? '<EOF>' : `'${this.#text.slice(at, at + 1)}'`
    return malformedSearch(this.#text, at, `unexpected token: ${what}`)
  }
}

/**
 * Parses the search text between two offsets of a text.
 * @throws ApiError MALFORMED_SEARCH, pointing into the text
 */
export function parseWords(text: string, from = 0, to = text.length): SearchExpression {
  checkSearchLength(text.length)
  return new WordsParser(text, from, to).parse()
}
