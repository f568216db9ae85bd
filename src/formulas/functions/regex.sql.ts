import { RE2JS } from 're2js'
import { sql } from '../../base/sql.ts'
import type { Budget } from '../language/budget.ts'
import type { Operation } from '../language/expression.ts'
import { EvaluationError, FormulaError } from '../language/formula-error.ts'
import type { FormulaFunction } from './function.ts'
import { makeOperation } from './operation.sql.ts'

/**
 * REGEX is matched by an engine whose time is in proportion to the text and to the pattern, with its repetitions written out. Formula
 * fields have no REGEX, so none reaches PostgreSQL.
 */

/** Characters of a pattern. */
const MAX_PATTERN = 1000

/** Characters of a pattern with its repetitions written out: `a{10}` has 10. */
const MAX_EXPANDED = 5000

/** Cost of compiling such a character, and of matching one character of a text with one instruction of a compiled pattern. */
const COMPILATION_COST = 5000
const STEP_COST = 20

/** Instructions of compiled patterns that are kept, together. */
const MAX_KEPT = 300_000

const kept = new Map<string, RE2JS>()
let keptSize = 0

function keep(pattern: string, made: RE2JS): void {
  kept.set(pattern, made)
  keptSize += made.programSize()
  for (const [oldest, expression] of kept) {
    if (keptSize <= MAX_KEPT) break
    kept.delete(oldest)
    keptSize -= expression.programSize()
  }
}

/** Matches one atom of a pattern, which a repetition repeats: an escaped character, a class, a group, or any other character. */
const ATOM =
  /\\Q.*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gs

/** Characters of a pattern with its repetitions written out, or more. */
function measureExpanded(pattern: string): number {
  /** Of the groups that are open, outermost first: the characters before and inside. */
  const open: number[] = []
  let size = 0
  let last = 0
  for (const [text, min, max] of pattern.matchAll(ATOM)) {
    if (min !== undefined) {
      const times = Math.max(1, Number(min), Number(max ?? 0))
      size += last * (times - 1)
      last *= times
    } else if (text === '(') {
      open.push(size)
      size = 0
      last = 0
    } else if (text === ')' && open.length > 0) {
      last = size + 1
      size = open.pop()! + last
    } else {
      last = text.startsWith('\\Q') ? text.length : 1
      size += last
    }
  }
  return open.reduce((sum, before) => sum + before, size)
}

/** @throws EvaluationError */
function compile(pattern: string, budget?: Budget): RE2JS {
  const known = kept.get(pattern)
  if (known !== undefined) return known
  if (pattern.length > MAX_PATTERN) {
    throw new EvaluationError(`A regular expression may have at most ${MAX_PATTERN} characters`)
  }
  const expanded = measureExpanded(pattern)
  if (expanded > MAX_EXPANDED) {
    throw new EvaluationError(
      `A regular expression may have at most ${MAX_EXPANDED} characters with its repetitions written out`,
    )
  }
  budget?.spend(expanded * COMPILATION_COST)
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
  keep(pattern, made)
  return made
}

function matches(text: string, pattern: string, budget: Budget): boolean {
  const expression = compile(pattern, budget)
  budget.spend((text.length + 1) * expression.programSize() * STEP_COST)
  return expression.matches(text)
}

const PLACES = ['rule', 'default'] as const

const operation: Operation = {
  ...makeOperation({
    label: "function 'REGEX()'",
    places: PLACES,
    takesNull: true,
    // Matching costs far more.
    costPerCharacter: 0,
    evaluate: ([text, pattern], { budget }) => matches(text ?? '', pattern ?? '', budget),
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
