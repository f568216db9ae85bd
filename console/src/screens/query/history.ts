import type { QueryLanguage } from './run.ts'

/** Queries that were run in this browser. */
export interface Ran {
  readonly at: number
  readonly language: QueryLanguage
  readonly text: string
  readonly isFailed: boolean
  readonly rows: number
  readonly durationMs: number
}

export const QUERY_HISTORY = 'query/history/'
