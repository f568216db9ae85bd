import { getOrInsert } from '../../../src/base/get-or-insert.ts'
import type { Value } from './world.ts'

const folded = new Map<string, string>()

/** Each character in upper case where that is one character, else as it is. (docs/reference/api/queries.md#order-limit-and-offset) */
export function fold(text: string): string {
  const upper = (character: string) => {
    const changed = character.toUpperCase()
    return [...changed].length === 1 ? changed : character
  }
  return getOrInsert(folded, text, () => [...text].map(upper).join(''))
}

/** By code points, which differs from the order of `<` outside the basic plane. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  const [left, right] = [[...a], [...b]]
  for (const [i, character] of left.entries()) {
    const other = right[i]
    if (other === undefined) return 1
    if (character !== other) return character.codePointAt(0)! - other.codePointAt(0)!
  }
  return left.length - right.length
}

/** Two values of one type, none of them null. */
export function compareValues(a: NonNullable<Value>, b: NonNullable<Value>): number {
  return typeof a === 'string' ? compareTexts(a, String(b)) : Number(a) - Number(b)
}

type Step = 'any' | 'one' | { readonly exactly: string }

function parseSteps(pattern: string): Step[] {
  const steps: Step[] = []
  const characters = [...pattern]
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!
    if (character === '\\') steps.push({ exactly: characters[++i]! })
    else steps.push(character === '%' ? 'any' : character === '_' ? 'one' : { exactly: character })
  }
  return steps
}

/** LIKE: `%` is any text, `_` one character, a backslash takes the next character as it is. (docs/reference/api/queries.md#conditions) */
export function matches(text: string, pattern: string): boolean {
  const characters = [...text]
  const follow = (at: number, steps: readonly Step[]): boolean => {
    const [step, ...rest] = steps
    if (step === undefined) return at === characters.length
    if (step === 'any') {
      for (let next = at; next <= characters.length; next++) if (follow(next, rest)) return true
      return false
    }
    if (at === characters.length) return false
    return (step === 'one' || step.exactly === characters[at]) && follow(at + 1, rest)
  }
  return follow(0, parseSteps(pattern))
}
