import { RE2JS } from 're2js'
import { sql } from '../../base/sql.ts'
import type { Budget } from '../language/budget.ts'
import type { Operation } from '../language/expression.ts'
import { EvaluationError, FormulaError } from '../language/formula-error.ts'
import { BacktrackingPattern } from '../regex/backtrack.ts'
import { longest } from '../regex/longest.ts'
import type { Pattern } from '../regex/node.ts'
import { parsePattern } from '../regex/parse-pattern.ts'
import { expandedSize, toRe2 } from '../regex/to-re2.ts'
import type { FormulaFunction } from './function.ts'
import { makeOperation } from './operation.sql.ts'

/**
 * REGEX reads a pattern as Java does. Most are matched by an engine whose time is in proportion to the text and to the pattern, with its
 * repetitions written out; the rest by one that goes back to earlier choices, in a bounded number of steps. Formula fields have no
 * REGEX, so none reaches PostgreSQL.
 */

/** Characters of a pattern. */
const MAX_PATTERN = 1000

/** Characters of a pattern with its repetitions written out: `a{10}` has 10. */
const MAX_EXPANDED = 5000

/** Cost of compiling such a character, and of matching one character of a text with one instruction of a compiled pattern. */
const COMPILATION_COST = 5000
const STEP_COST = 20

/** The cost of a step that looks a character up in one of Unicode's sets, which have hundreds of ranges. */
const UNICODE_STEP_COST = 80

/** Cost of a step of a match that may go back. */
const BACKTRACKING_COST = 100

/** Sizes of the patterns that are kept, together. A unit takes about 100 bytes. */
const MAX_KEPT = 300_000

/** The size of a pattern beside its characters and instructions. */
const LEAST_SIZE = 100

/** Steps of a match that goes back to earlier choices: the platform stops there, too. */
const MAX_STEPS = 1_000_000

interface Compiled {
  /** Instructions, or characters with the repetitions written out. */
  readonly size: number
  readonly matches: (text: string, budget: Budget) => boolean
}

const kept = new Map<string, Compiled>()
let keptSize = 0

/** A class of many characters is one instruction. */
const keptSizeOf = (pattern: string, { size }: Compiled) => LEAST_SIZE + pattern.length + size

/** A text that keeps no longer one alive of which it was a part. */
const copy = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le')

function keep(pattern: string, made: Compiled): void {
  kept.set(copy(pattern), made)
  keptSize += keptSizeOf(pattern, made)
  for (const [oldest, one] of kept) {
    if (keptSize <= MAX_KEPT) break
    kept.delete(oldest)
    keptSize -= keptSizeOf(oldest, one)
  }
}

/** No text is read further than the longest one that the pattern matches. Undefined: the engine does not repeat so often. */
function makeLinear(re2: string, longestText: number): Compiled | undefined {
  let expression: RE2JS
  try {
    expression = RE2JS.compile(re2)
  } catch {
    return undefined
  }
  const size = expression.programSize()
  const stepCost = re2.includes('\\p') ? UNICODE_STEP_COST : STEP_COST
  return {
    size,
    matches(text, budget) {
      budget.spend((Math.min(text.length, longestText) + 1) * size * stepCost)
      return expression.matches(text)
    },
  }
}

function makeBacktracking(pattern: Pattern, size: number): Compiled {
  const made = new BacktrackingPattern(pattern)
  return {
    size,
    matches(text, budget) {
      let steps = 0
      return made.matches(text, (count) => {
        steps += count
        if (steps > MAX_STEPS)
          throw new EvaluationError('The regular expression is too complicated for the text')
        budget.spend(count * BACKTRACKING_COST)
      })
    },
  }
}

/** @throws EvaluationError */
function compile(pattern: string, budget?: Budget): Compiled {
  const known = kept.get(pattern)
  if (known !== undefined) return known
  if (pattern.length > MAX_PATTERN) {
    throw new EvaluationError(`A regular expression may have at most ${MAX_PATTERN} characters`)
  }
  let made: Compiled
  try {
    const parsed = parsePattern(pattern)
    const size = expandedSize(parsed.root)
    if (size > MAX_EXPANDED) {
      throw new EvaluationError(
        `A regular expression may have at most ${MAX_EXPANDED} characters with its repetitions written out`,
      )
    }
    budget?.spend(size * COMPILATION_COST)
    const re2 = toRe2(parsed.root)
    made = (re2 && makeLinear(re2, longest(parsed.root))) || makeBacktracking(parsed, size)
  } catch (cause) {
    if (cause instanceof EvaluationError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new EvaluationError(
      `The regular expression '${pattern}' is not supported: ${message}`,
      'The regular expression is not supported',
    )
  }
  keep(pattern, made)
  return made
}

const matches = (text: string, pattern: string, budget: Budget): boolean =>
  compile(pattern, budget).matches(text, budget)

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
      'Whether all of a text matches a regular expression, with case. Patterns are those of Java; backslashes are doubled. Comments (`(?x)`), `(?U)`, `\\X`, `\\G`, `\\N` and rare names in `\\p{…}` are refused.',
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
