import { FormulaError } from '../language/formula-error.ts'

type TokenKind = 'number' | 'text' | 'name' | 'symbol' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** Of a text its value, without quotes; otherwise as it is written. */
  readonly text: string
  readonly at: number
  readonly end: number
}

const SPACE = /[ \t\f\r\n]*/y
const NUMBER = /\d+(?:\.\d+)?/y
const NAME = /[A-Za-z$][\w$:.#]*/y
const SYMBOL = /&&|\|\||<=|>=|<>|!=|==|[-+*/^&<>=!(),]/y
const QUOTES = '"\''
/** Characters that may follow a backslash. */
const ESCAPED = 'nrtNRT"\'\\'

function match(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at
  return expression.exec(text)?.[0]
}

/** The end of a comment that begins at an offset. */
function skipComment(text: string, at: number): number {
  const end = text.indexOf('*/', at + 2)
  if (end < 0) throw new FormulaError('Syntax error.  Missing */', at)
  return end + 2
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (true) {
    at += match(SPACE, text, at)!.length
    if (!text.startsWith('/*', at)) return at
    at = skipComment(text, at)
  }
}

/** Only a quote and a backslash are unescaped; `\n` stays two characters. */
function readText(text: string, at: number): Token {
  const quote = text[at]!
  let value = ''
  for (let i = at + 1; i < text.length; i++) {
    const character = text[i]!
    if (character === quote) return { kind: 'text', text: value, at, end: i + 1 }
    if (character === '\r' || character === '\n') break
    if (character !== '\\') {
      value += character
      continue
    }
    const escaped = text[++i]
    if (escaped === undefined || !ESCAPED.includes(escaped)) {
      throw new FormulaError(`Syntax error.  Found '\\${escaped ?? ''}'`, i - 1)
    }
    value += escaped === '"' || escaped === '\\' ? escaped : `\\${escaped}`
  }
  throw new FormulaError(`Syntax error.  Missing ${quote}`, at)
}

/** The first token at or after an offset. */
export function readToken(text: string, from: number): Token {
  const at = skipSpace(text, from)
  if (at === text.length) return { kind: 'end', text: 'end of formula', at, end: at }
  if (QUOTES.includes(text[at]!)) return readText(text, at)
  for (const [kind, expression] of [
    ['number', NUMBER],
    ['name', NAME],
    ['symbol', SYMBOL],
  ] as const) {
    const found = match(expression, text, at)
    if (found !== undefined) return { kind, text: found, at, end: at + found.length }
  }
  throw new FormulaError(`Syntax error.  Found '${String.fromCodePoint(text.codePointAt(at)!)}'`, at)
}
