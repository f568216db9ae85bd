import { RESERVED_ALIASES } from '../../soql/parse/reserved-words.ts'
import { mapReferences } from './reference-text.ts'
import { halted, type Scalar, type StepResults } from './step-results.ts'

/** One token of a query that is no text: a number, a date, a time, a name, an id. */
const TOKEN =
  /^(?:-?\d{1,40}(?:\.\d{1,40})?|\w{1,255}(?:\.\w{1,255}){0,10}|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d))?|\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?)$/

/** A word of the language would be more than a value. */
const isToken = (text: string) => TOKEN.test(text) && !RESERVED_ALIASES.has(text.toUpperCase())

/**
 * Fills in the references of a query. Inside quotes a value is text and nothing else, whatever it holds; elsewhere it
 * may be one token. So a value never changes what the query asks.
 */
export function fillSoql(soql: string, stepResults: StepResults): string {
  let quoted = false
  let escaped = false
  const read = (text: string) => {
    for (const character of text) {
      if (escaped) escaped = false
      else if (character === '\\') escaped = quoted
      else if (character === "'") quoted = !quoted
    }
  }
  return mapReferences(soql, (expression, before) => {
    read(before)
    const value = stepResults.value(expression)
    if (!quoted) return makeToken(value, expression)
    // The backslash would take the first character of the value with it.
    if (escaped) throw halted(`A backslash stands before the reference ${expression} in a query.`)
    return String(value ?? '').replaceAll(/[\\']/g, '\\$&')
  })
}

function makeToken(value: Scalar, expression: string): string {
  const text = String(value)
  if (value === null || isToken(text)) return text
  throw halted(`The value of ${expression} can stand in a query in quotes only.`)
}
