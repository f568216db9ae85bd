import { readFileSync } from 'node:fs'

/** One statement of the corpus, and the code that it is refused with. */
export interface Case {
  readonly q: string
  readonly valid: boolean
  /** Null for a valid one. */
  readonly code: string | null
  readonly note: string
  /** How sure the code is, or for `low` even the refusal; absent: sure. */
  readonly conf?: 'medium' | 'low'
}

/** The corpus: statements that are valid against the schema of the corpus, and statements that are not. */
export const CASES: readonly Case[] = readFileSync(new URL('cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
