/** Kinds of calls. Each must succeed again before a server counts as recovered. */
export const KINDS = [
  'read',
  'query',
  'create',
  'update',
  'composite',
  'other object',
  'token',
  'second org',
] as const

export type Kind = (typeof KINDS)[number]

/** Those that write. */
export const WRITING_KINDS: readonly Kind[] = ['create', 'update', 'composite']

/** Those that read, and tokens, which servers go on issuing while the database takes no writes. */
export const READING_KINDS: readonly Kind[] = ['read', 'query', 'token']

/** A call that was sent, in milliseconds of `performance.now()`. */
export interface LoggedCall {
  readonly kind: Kind
  readonly began: number
  readonly ended: number
  /** The status, with the error's code where that says more: `201`, `503`, `400 UNABLE_TO_LOCK_ROW`, `cut`. */
  readonly answer: string
  readonly isOk: boolean
}

export type CallLog = readonly LoggedCall[]

/** Calls that were under way at some time of a period. */
export const callsBetween = (log: CallLog, from: number, to: number) =>
  log.filter(({ began, ended }) => ended >= from && began <= to)

/** How often each answer came, by kind of call. */
export function countAnswers(log: CallLog): ReadonlyMap<Kind, ReadonlyMap<string, number>> {
  const counts = new Map<Kind, Map<string, number>>()
  for (const { kind, answer } of log) {
    const answers = counts.get(kind) ?? new Map<string, number>()
    counts.set(kind, answers.set(answer, (answers.get(answer) ?? 0) + 1))
  }
  return counts
}

/** In milliseconds, of one kind or of all. */
export const maxWait = (log: CallLog, kind?: Kind): number =>
  log
    .filter((call) => kind === undefined || call.kind === kind)
    .reduce((longest, { began, ended }) => Math.max(longest, ended - began), 0)
