import { getOrInsert } from '../../base/get-or-insert.ts'
import type { JournalEntry } from './journal-entry.ts'
import { type Judged, judge } from './required-response.ts'

interface Count {
  readonly name: string
  readonly calls: number
}

/** An error that a client received, and how it reacted. */
export interface ReceivedError extends Judged {
  readonly app: string
  readonly method: string
  readonly route: string
  readonly version: string
  readonly status: number
  readonly code: string
  /** The fault that caused it; null if the error was real. */
  readonly fault: string | null
  /** Number of occurrences with the same reaction. */
  readonly times: number
}

/** The cost of a test run, and how clients reacted to errors. */
export interface Report {
  /** Times of the first and the last call; null if there was none. */
  readonly from: string | null
  readonly to: string | null
  /** Number of calls. */
  readonly calls: number
  /** Calls that count toward the allocation. */
  readonly cost: number
  readonly apps: readonly Count[]
  readonly routes: readonly Count[]
  readonly versions: readonly Count[]
  /** Maximum number of concurrent calls. */
  readonly peakConcurrency: number
  /** Calls that had a fault injected, and how many of them were repeated. */
  readonly faults: readonly { readonly name: string; readonly met: number; readonly retried: number }[]
  readonly errors: readonly ReceivedError[]
}

function countBy(calls: readonly JournalEntry[], nameOf: (call: JournalEntry) => string): Count[] {
  const counts = new Map<string, number>()
  for (const call of calls) counts.set(nameOf(call), (counts.get(nameOf(call)) ?? 0) + 1)
  return [...counts]
    .map(([name, calls]) => ({ name, calls }))
    .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1))
}

/** Duration of a call too short for the clock, in milliseconds. */
const MIN_DURATION_MS = 0.001

/** Maximum number of overlapping calls over all processes, computed from their start and end times. */
function findPeakConcurrency(calls: readonly JournalEntry[]): number {
  const timestamps = calls.flatMap(({ beganAt, milliseconds }) => [
    { at: beganAt, change: 1 },
    { at: beganAt + Math.max(milliseconds, MIN_DURATION_MS), change: -1 },
  ])
  // A call that ends at the time another begins does not overlap it.
  timestamps.sort((a, b) => a.at - b.at || a.change - b.change)
  let [running, peak] = [0, 0]
  for (const { change } of timestamps) {
    running += change
    peak = Math.max(peak, running)
  }
  return peak
}

/** Number of later calls that are examined to judge the reaction to an error. */
const MAX_LATER_CALLS = 1000

/** The failed calls of each app, with the calls that came after each of them. */
function* failuresWithLaterCalls(
  entries: readonly JournalEntry[],
): Generator<[JournalEntry, readonly JournalEntry[]]> {
  const byApp = new Map<string, JournalEntry[]>()
  for (const entry of entries) getOrInsert(byApp, entry.clientId ?? '', () => []).push(entry)
  for (const own of byApp.values()) {
    for (const [index, call] of own.entries()) {
      if (call.status < 300 && call.status !== 0 && call.code === '' && call.fault === '') continue
      const end = call.beganAt + call.milliseconds
      yield [call, own.slice(index + 1, index + 1 + MAX_LATER_CALLS).filter(({ beganAt }) => beganAt >= end)]
    }
  }
}

/**
 * Summarizes a journal.
 * @param nameOf returns the name of an app by its client id
 */
export function makeReport(entries: readonly JournalEntry[], nameOf: (clientId: string) => string): Report {
  const calls = entries.filter(({ kind }) => kind === 'call')
  const appOf = ({ clientId }: JournalEntry) => (clientId === undefined ? 'no app' : nameOf(clientId))
  const faults = new Map<string, { met: number; retried: number }>()
  const errors = new Map<string, ReceivedError>()
  for (const [call, later] of failuresWithLaterCalls(entries)) {
    if (call.fault !== '') {
      const fault = getOrInsert(faults, call.fault, () => ({ met: 0, retried: 0 }))
      fault.met++
      if (later.some(({ kind, sameness }) => kind === 'call' && sameness === call.sameness)) fault.retried++
    }
    const judged = judge(call, later)
    if (judged === undefined) continue
    const { method, route, version, status, code } = call
    const error = {
      app: appOf(call),
      method,
      route,
      version,
      status,
      code,
      fault: call.fault || null,
      ...judged,
    }
    const key = JSON.stringify(error)
    errors.set(key, { ...error, times: (errors.get(key)?.times ?? 0) + 1 })
  }
  const last = calls.at(-1)
  return {
    from: calls.length === 0 ? null : new Date(calls[0]!.beganAt).toISOString(),
    to: last === undefined ? null : new Date(last.beganAt + last.milliseconds).toISOString(),
    calls: calls.length,
    cost: calls.filter(({ isCounted }) => isCounted).length,
    apps: countBy(calls, appOf),
    routes: countBy(calls, ({ method, route }) => `${method} ${route}`),
    versions: countBy(calls, ({ version }) => version),
    peakConcurrency: findPeakConcurrency(calls),
    faults: [...faults].map(([name, counts]) => ({ name, ...counts })),
    errors: [...errors.values()],
  }
}
