import { FormulaError } from '../language/formula-error.ts'
import { MAX_DEPTH, MAX_FORMULA_LENGTH } from '../language/formula-type.ts'
import { readToken, type Token } from './lexer.ts'

/** Syntax tree of a formula, before names and types are known. Offsets are in the text. */
export type Syntax =
  | { readonly kind: 'number'; readonly text: string; readonly at: number }
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'constant'; readonly value: boolean | null; readonly at: number }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: readonly Syntax[]
      readonly at: number
      /** Offset behind the call. */
      readonly end: number
    }
  | {
      readonly kind: 'operator'
      readonly operator: string
      readonly args: readonly Syntax[]
      readonly at: number
    }

/** How strongly binary operators bind, and how messages and the checker name them. `^` is weaker than `*`. All are left-associative. */
const BINARY: ReadonlyMap<string, readonly [strength: number, operator: string]> = new Map([
  ['||', [1, '||']],
  ['&&', [2, '&&']],
  ['=', [3, '=']],
  ['==', [3, '=']],
  ['<>', [3, '<>']],
  ['!=', [3, '<>']],
  ['<', [4, '<']],
  ['>', [4, '>']],
  ['<=', [4, '<=']],
  ['>=', [4, '>=']],
  ['+', [5, '+']],
  ['-', [5, '-']],
  ['&', [5, '&']],
  ['^', [6, '^']],
  ['*', [7, '*']],
  ['/', [7, '/']],
])

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['TRUE', true],
  ['FALSE', false],
  ['NULL', null],
])

class Parser {
  readonly #text: string
  #token: Token
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#token = readToken(text, 0)
  }

  parseAll(): Syntax {
    const parsed = this.#parseBinary(0)
    if (this.#token.kind !== 'end') throw this.#error('Extra')
    return parsed
  }

  #error(what: 'Extra' | 'Found'): FormulaError {
    const { kind, text, at } = this.#token
    const found =
      kind === 'end' ? text : `'${kind === 'text' ? this.#text.slice(at, this.#token.end) : text}'`
    return new FormulaError(
      what === 'Extra' ? `Syntax error. Extra ${found}` : `Syntax error.  Found ${found}`,
      at,
    )
  }

  #advance(): Token {
    const token = this.#token
    this.#token = readToken(this.#text, token.end)
    return token
  }

  #is(symbol: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.text === symbol
  }

  #enter(): void {
    if (++this.#depth > MAX_DEPTH) {
      throw new FormulaError(
        `Formula is nested too deeply. At most ${MAX_DEPTH} levels are allowed`,
        this.#token.at,
      )
    }
  }

  #parseBinary(weakest: number): Syntax {
    this.#enter()
    let left = this.#parseUnary()
    while (true) {
      const entry = this.#token.kind === 'symbol' ? BINARY.get(this.#token.text) : undefined
      if (entry === undefined || entry[0] <= weakest) break
      const { at } = this.#advance()
      const right = this.#parseBinary(entry[0])
      left = { kind: 'operator', operator: entry[1], args: [left, right], at }
    }
    this.#depth--
    return left
  }

  #parseUnary(): Syntax {
    const { kind, text, at } = this.#token
    const isNot = (kind === 'symbol' && text === '!') || (kind === 'name' && text.toUpperCase() === 'NOT')
    if (!isNot && !this.#is('-') && !this.#is('+')) return this.#parsePrimary()
    this.#enter()
    this.#advance()
    const argument = this.#parseUnary()
    this.#depth--
    return { kind: 'operator', operator: isNot ? 'NOT' : `unary ${text}`, args: [argument], at }
  }

  #parsePrimary(): Syntax {
    const { kind, text, at } = this.#token
    if (kind === 'number' || kind === 'text') {
      this.#advance()
      return { kind, text, at }
    }
    if (kind === 'name') return this.#parseName()
    if (!this.#is('(')) throw this.#error('Found')
    this.#advance()
    const inner = this.#parseBinary(0)
    this.#expectClosing(at)
    return inner
  }

  #parseName(): Syntax {
    const { text, at } = this.#advance()
    if (this.#is('(')) return this.#parseCall(text, at)
    const constant = CONSTANTS.get(text.toUpperCase())
    return constant === undefined
      ? { kind: 'name', name: text, at }
      : { kind: 'constant', value: constant, at }
  }

  #parseCall(name: string, at: number): Syntax {
    const opening = this.#advance()
    const args: Syntax[] = []
    if (!this.#is(')')) {
      args.push(this.#parseBinary(0))
      while (this.#is(',')) {
        this.#advance()
        args.push(this.#parseBinary(0))
      }
    }
    const { end } = this.#expectClosing(opening.at)
    return { kind: 'call', name, args, at, end }
  }

  #expectClosing(opening: number): Token {
    if (this.#is(')')) return this.#advance()
    if (this.#token.kind === 'end') throw new FormulaError("Syntax error.  Missing ')'", opening)
    throw this.#error('Found')
  }
}

/**
 * The syntax of a formula. Takes time in proportion to the text.
 * @throws FormulaError
 */
export function parseFormula(text: string): Syntax {
  if (text.length > MAX_FORMULA_LENGTH) {
    throw new FormulaError(
      `Formula is too long (${text.length} characters).  Maximum length is ${MAX_FORMULA_LENGTH} characters`,
      MAX_FORMULA_LENGTH,
    )
  }
  if (text.includes('\0')) throw new FormulaError("Syntax error.  Found '\\0'", text.indexOf('\0'))
  return new Parser(text).parseAll()
}
