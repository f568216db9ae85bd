/* Values in the syntax of programming languages. */

interface Syntax {
  readonly indent: string
  /** Stands inside of the brackets of an object. */
  readonly blank: string
  readonly quote: (text: string) => string
  readonly name: (text: string) => string
  readonly word: (value: boolean | null) => string
}

/** Objects and lists up to this length stay on one line. */
const MAX_LINE = 60

function write(value: unknown, syntax: Syntax, indent: string): string {
  if (typeof value === 'string') return syntax.quote(value)
  if (value === null || typeof value === 'boolean') return syntax.word(value)
  if (typeof value !== 'object') return String(value)
  const isList = Array.isArray(value)
  const inside = indent + syntax.indent
  const parts = (within: string) =>
    isList
      ? value.map((one) => write(one, syntax, within))
      : Object.entries(value!).map(([name, one]) => `${syntax.name(name)}: ${write(one, syntax, within)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const short = parts(indent).join(', ')
  if (short === '') return open + close
  if (short.length <= MAX_LINE && !short.includes('\n'))
    return isList ? `[${short}]` : open + syntax.blank + short + syntax.blank + close
  return `${open}\n${parts(inside)
    .map((part) => `${inside}${part},\n`)
    .join('')}${indent}${close}`
}

const javascriptQuote = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const JAVASCRIPT: Syntax = {
  indent: '  ',
  blank: ' ',
  quote: javascriptQuote,
  // In a literal this name would be the prototype.
  name: (text) =>
    text === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(text) ? text : javascriptQuote(text),
  word: String,
}

const PYTHON: Syntax = {
  indent: '    ',
  blank: '',
  // Strings of JSON are strings of Python.
  quote: (text) => JSON.stringify(text),
  name: (text) => JSON.stringify(text),
  word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
}

export const javascriptLiteral = (value: unknown, indent = ''): string => write(value, JAVASCRIPT, indent)
export const pythonLiteral = (value: unknown): string => write(value, PYTHON, '')
