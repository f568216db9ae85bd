import type { Call } from './templates.ts'

/** A call while it is written. */
export interface CallDraft extends Call {
  readonly headers: string
}

/** A call that was sent, in this browser. */
export interface SentCall extends CallDraft {
  readonly at: number
  readonly status: number
  /** True if an operation inside has failed, whatever the status. */
  readonly isFailed?: boolean
  readonly durationMs: number
}

export const CALL_HISTORY = 'explorer/history/'

const isToken = (line: string) => /^\s*authorization\s*:/i.test(line)

/** Header lines without a token: one that is typed is sent, and never kept. */
export const withoutToken = (headers: string): string =>
  headers
    .split('\n')
    .filter((line) => !isToken(line))
    .join('\n')

/** `Name: value` lines as headers. */
export const readHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  )
