import type { ApiError } from '../../base/api-error.ts'
import { readToken } from './lexer.ts'
import { malformedQuery, placeError } from './query-error.ts'
import type { Token } from './token.ts'

/** Far deeper than any real query, far below the stack limit. */
const MAX_NESTING = 100

/**
 * The tokens of a query, with one token of lookahead. They are read lazily, so that the first error
 * in the text is the one reported, whether it is a character or a word.
 */
export class TokenStream {
  readonly text: string
  #current: Token
  #next: Token | undefined
  #nesting = 0

  /** @param from where the query starts in the text */
  constructor(text: string, from = 0) {
    this.text = text
    this.#current = readToken(text, from)
  }

  get current(): Token {
    return this.#current
  }

  get next(): Token {
    this.#next ??= readToken(this.text, this.#current.end)
    return this.#next
  }

  /** True if the current token is this word (in upper case) or symbol. */
  is(key: string): boolean {
    return this.#current.key === key
  }

  /** True if the current token and the next one are these. */
  isPair(key: string, nextKey: string): boolean {
    return this.#current.key === key && this.next.key === nextKey
  }

  take(): Token {
    const token = this.#current
    this.#current = this.next
    this.#next = undefined
    return token
  }

  /** Takes the token if it matches; returns whether it did. */
  skip(key: string): boolean {
    const found = this.is(key)
    if (found) this.take()
    return found
  }

  expect(key: string): Token {
    if (!this.is(key)) throw this.unexpected()
    return this.take()
  }

  /** Takes one of several words; returns it as spelled in the list. */
  expectOneOf<Key extends string>(keys: readonly Key[]): Key {
    for (const key of keys) if (this.skip(key)) return key
    throw this.unexpected()
  }

  /** One item or more, with commas between. */
  list<Item>(parseItem: (stream: TokenStream) => Item): [Item, ...Item[]] {
    const items: [Item, ...Item[]] = [parseItem(this)]
    while (this.skip(',')) items.push(parseItem(this))
    return items
  }

  /** Parses content between parentheses. Every recursive construct passes here, so nesting is bounded here. */
  parenthesized<Content>(parseContent: (stream: TokenStream) => Content): Content {
    this.expect('(')
    if (++this.#nesting > MAX_NESTING) {
      throw malformedQuery(`parentheses may be nested at most ${MAX_NESTING} levels deep`)
    }
    const content = parseContent(this)
    this.expect(')')
    this.#nesting--
    return content
  }

  /** The error for an unexpected token. (docs/reference/api/queries.md#positions) */
  unexpected(token: Token = this.#current): ApiError {
    const what = token.kind === 'end' ? '<EOF>' : `'${token.text}'`
    return placeError(malformedQuery(`unexpected token: ${what}`), token.at)
  }
}
