import { MAX_BOOLEAN_FILTER } from '../../definitions/list-views/view-bounds.ts'

/**
 * Reads `(1 AND 2) OR NOT 3` with a condition for each number. NOT binds closest, then AND, then OR; the result has
 * parentheses around everything inside, as queries want them.
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

/** A condition that begins with a parenthesis is one of several terms, all in that parenthesis. */
const withoutOutermost = (condition: string) =>
  condition.startsWith('(') ? condition.slice(1, -1) : condition

/** The condition of several filters; undefined when the text is not one about all of them. */
export function combineFilters(text: string | undefined, conditions: readonly string[]): string | undefined {
  if (text === undefined)
    return conditions.length === 1 ? withoutOutermost(conditions[0]!) : conditions.join(' AND ')
  if (text.length > MAX_BOOLEAN_FILTER) return undefined
  const whole = new BooleanFilterParser(text, conditions).parse()
  return whole && withoutOutermost(whole)
}
