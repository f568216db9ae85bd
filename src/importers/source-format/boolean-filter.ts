/** More than any list view has; bounds the depth of its expression too. */
const MAX_LENGTH = 1000

/**
 * Reads `(1 AND 2) OR NOT 3` with a condition for each number. NOT binds closest, then AND, then OR; the result has
 * parentheses around everything, as queries want them.
 */
class BooleanFilterParser {
  readonly #tokens: readonly string[]
  readonly #conditions: readonly string[]
  #at = 0

  constructor(text: string, conditions: readonly string[]) {
    this.#tokens = text.toUpperCase().match(/\d+|[A-Z]+|[^\s\dA-Z]/g) ?? []
    this.#conditions = conditions
  }

  parse(): string | undefined {
    const whole = this.#chain('OR', () => this.#chain('AND', () => this.#term()))
    return this.#at === this.#tokens.length ? whole : undefined
  }

  #skip(token: string): boolean {
    const found = this.#tokens[this.#at] === token
    if (found) this.#at++
    return found
  }

  #chain(operator: 'AND' | 'OR', next: () => string | undefined): string | undefined {
    const terms = [next()]
    while (this.#skip(operator)) terms.push(next())
    if (terms.includes(undefined)) return undefined
    return terms.length === 1 ? terms[0] : `(${terms.join(` ${operator} `)})`
  }

  #term(): string | undefined {
    if (this.#skip('NOT')) {
      const term = this.#term()
      return term && `(NOT ${term})`
    }
    if (this.#skip('(')) {
      const inner = this.#chain('OR', () => this.#chain('AND', () => this.#term()))
      return this.#skip(')') ? inner : undefined
    }
    return this.#conditions[Number(this.#tokens[this.#at++]) - 1]
  }
}

/** The condition of several filters; undefined when the text is not one about all of them. */
export function combineFilters(text: string | undefined, conditions: readonly string[]): string | undefined {
  if (text === undefined) return conditions.join(' AND ')
  if (text.length > MAX_LENGTH) return undefined
  return new BooleanFilterParser(text, conditions).parse()
}
