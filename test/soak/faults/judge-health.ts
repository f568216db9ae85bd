import { type CallLog, WRITING_KINDS } from './call-log.ts'
import type { HealthWatch, Poll } from './health-watch.ts'

/** So long after a fault began or ended readiness may still be what it was, in milliseconds. */
const NOTICE_MS = 2500

/** A write that takes longer does not prove that the server is ready, in milliseconds. */
const PROMPT_MS = 1000

/** When a fault was. */
export interface Period {
  readonly began: number
  readonly ended: number
  /** True if nobody was there to answer. */
  readonly isWithoutProcess: boolean
  /** True if the database took writes meanwhile, although those of the load may not have come through. */
  readonly isDatabaseThere: boolean
}

export interface Health {
  /** Answers of `/readyz` while the fault lasted, with their counts. */
  readonly readyAnswers: Readonly<Record<string, number>>
  /** Untrue answers; none if both endpoints told the truth. */
  readonly untrue: readonly string[]
}

function count(polls: readonly Poll[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of polls) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const describe = (polls: readonly Poll[]) =>
  Object.entries(count(polls))
    .map(([status, times]) => `${status} ×${times}`)
    .join(' ')

/** Returns the answers of `/readyz` that the writes of the same time contradict. */
function contradictionsIn(
  during: readonly Poll[],
  writes: CallLog,
  { ended, isDatabaseThere }: Period,
): string[] {
  if (writes.length === 0) return []
  const polls = (status: number) => during.filter((poll) => poll.status === status)
  const isNoneDone = !writes.some((call) => call.isOk && call.ended <= ended)
  const isEachPrompt = writes.every((call) => call.isOk && call.ended - call.began <= PROMPT_MS)
  if (isNoneDone && !isDatabaseThere && polls(200).length > 0)
    return [`/readyz: ${describe(polls(200))} while no write succeeded`]
  if (isEachPrompt && polls(503).length > 0)
    return [`/readyz: ${describe(polls(503))} while each write succeeded`]
  return []
}

/**
 * Both endpoints always answer; `/healthz` always with 200. What `/readyz` has to say follows from the load: not ready
 * when no write succeeded because of the database, ready when each did within a second. Between these both are true.
 */
export function judgeHealth(watch: HealthWatch, log: CallLog, period: Period): Health {
  const { began, ended, isWithoutProcess } = period
  const isExcused = (poll: Poll) =>
    isWithoutProcess && poll.began > began - NOTICE_MS && poll.began < ended + NOTICE_MS
  const polls = watch.polls.filter((poll) => !isExcused(poll))
  const notAlive = polls.filter(({ path, status }) => path === '/healthz' && status !== 200)
  const silent = polls.filter(({ path, status }) => path === '/readyz' && typeof status === 'string')
  const from = began + NOTICE_MS
  const writes = log.filter(
    (call) => WRITING_KINDS.includes(call.kind) && call.began >= from && call.began <= ended,
  )
  const untrue = [
    ...(notAlive.length > 0 ? [`/healthz: ${describe(notAlive)}`] : []),
    ...(silent.length > 0 ? [`/readyz: ${describe(silent)}`] : []),
    ...(isWithoutProcess ? [] : contradictionsIn(watch.between('/readyz', from, ended), writes, period)),
  ]
  return { readyAnswers: count(watch.between('/readyz', began, ended)), untrue }
}
