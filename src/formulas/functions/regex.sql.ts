import { RE2JS } from 're2js'
import { sql } from '../../base/sql.ts'
import type { Operation } from '../language/expression.ts'
import { EvaluationError, FormulaError } from '../language/formula-error.ts'
import type { FormulaFunction } from './function.ts'
import { makeOperation } from './operation.sql.ts'

/**
 * REGEX is matched by an engine whose time is in proportion to the text, whatever the pattern. Formula fields have no REGEX, so none
 * reaches PostgreSQL.
 */

/** Characters of a pattern. */
const MAX_PATTERN = 1000

const compiled = new Map<string, RE2JS>()
const MAX_COMPILED = 500

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  if (pattern.length > MAX_PATTERN) {
    throw new EvaluationError(`A regular expression may have at most ${MAX_PATTERN} characters`)
  }
  let made: RE2JS
  try {
    made = RE2JS.compile(pattern)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new EvaluationError(
      `The regular expression '${pattern}' is not supported: ${message}`,
      'The regular expression is not supported',
    )
  }
  if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value!)
  compiled.set(pattern, made)
  return made
}

const PLACES = ['rule', 'default'] as const

const operation: Operation = {
  ...makeOperation({
    label: "function 'REGEX()'",
    places: PLACES,
    takesNull: true,
    evaluate: ([text, pattern]) => compile(pattern ?? '').matches(text ?? ''),
    sql: () => sql`null::boolean`,
  }),
}

export const REGEX_FUNCTIONS: readonly FormulaFunction[] = [
  {
    name: 'REGEX',
    signature: 'REGEX(text, pattern)',
    result: 'Boolean',
    description:
      'Whether all of a text matches a regular expression, with case. Backslashes are doubled. Lookaround and references to groups are not supported.',
    places: PLACES,
    parameters: [['Text'], ['Text']],
    make({ args: [, pattern] }) {
      if (pattern!.kind === 'literal' && pattern!.value !== null) {
        try {
          compile(pattern!.value as string)
        } catch (error) {
          if (!(error instanceof EvaluationError)) throw error
          throw new FormulaError(error.message, pattern!.at)
        }
      }
      return { type: 'Boolean', facts: {}, operation }
    },
  },
]
