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

interface Compiled {
  readonly expression: RE2JS
  /** Characters after which no text matches: they are not read. */
  readonly longest: number
}

const kept = new Map<string, Compiled>()
let keptSize = 0

function keep(pattern: string, made: Compiled): void {
  kept.set(pattern, made)
  keptSize += made.expression.programSize()
  for (const [oldest, { expression }] of kept) {
    if (keptSize <= MAX_KEPT) break
    kept.delete(oldest)
    keptSize -= expression.programSize()
  }
}

/** Matches one atom of a pattern, which a repetition repeats: an escaped character, a class, a group, or any other character. */
const ATOM =
  /\\Q.*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gs

/** A group of a pattern, or the pattern itself, up to an atom. */
class Group {
  /** Characters before the last atom, and of it, with repetitions written out. */
  #size = 0
  #lastSize = 0
  /** Characters that the current alternative can match before the last atom, and by it; and those of the longest alternative before. */
  #longest = 0
  #lastLongest = 0
  #longestBefore = 0

  get size(): number {
    return this.#size + this.#lastSize
  }

  get longest(): number {
    return Math.max(this.#longestBefore, this.#longest + this.#lastLongest)
  }

  add(size: number, longest: number): void {
    this.#size = this.size
    this.#longest += this.#lastLongest
    this.#lastSize = size
    this.#lastLongest = longest
  }

  repeatLast(times: number): void {
    this.#lastSize *= times
    this.#lastLongest *= times
  }

  repeatLastEndlessly(): void {
    this.#lastSize++
    this.#lastLongest = Number.POSITIVE_INFINITY
  }

  beginAlternative(): void {
    this.#longestBefore = this.longest
    this.#size = this.size + 1
    this.#longest = 0
    this.#lastSize = 0
    this.#lastLongest = 0
  }
}

/** Adds a group that ends to the one around it. It counts one more, so that the repetitions of an empty one count, too. */
function endGroup(open: Group[]): void {
  const { size, longest } = open.pop()!
  open.at(-1)!.add(size + 1, longest + 1)
}

/** Characters of a pattern with its repetitions written out, and of the longest text that it matches: as many or more. */
function measure(pattern: string): Group {
  const open = [new Group()]
  for (const [text, min, max] of pattern.matchAll(ATOM)) {
    const group = open.at(-1)!
    if (min !== undefined) {
      group.repeatLast(Math.max(1, Number(min), Number(max ?? 0)))
      if (max === '') group.repeatLastEndlessly()
    } else if (text === '*' || text === '+') group.repeatLastEndlessly()
    else if (text === '|') group.beginAlternative()
    else if (text === '(') open.push(new Group())
    else if (text === ')' && open.length > 1) endGroup(open)
    else {
      const length = text.startsWith('\\Q') ? text.length : 1
      group.add(length, length)
    }
  }
  while (open.length > 1) endGroup(open)
  return open[0]!
}

/** @throws EvaluationError */
function compile(pattern: string, budget?: Budget): Compiled {
  const known = kept.get(pattern)
  if (known !== undefined) return known
  if (pattern.length > MAX_PATTERN) {
    throw new EvaluationError(`A regular expression may have at most ${MAX_PATTERN} characters`)
  }
  const { size, longest } = measure(pattern)
  if (size > MAX_EXPANDED) {
    throw new EvaluationError(
      `A regular expression may have at most ${MAX_EXPANDED} characters with its repetitions written out`,
    )
  }
  budget?.spend(size * COMPILATION_COST)
  let made: Compiled
  try {
    made = { expression: RE2JS.compile(pattern), longest }
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
  const { expression, longest } = compile(pattern, budget)
  budget.spend((Math.min(text.length, longest) + 1) * expression.programSize() * STEP_COST)
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
