import { type CallLog, KINDS } from './call-log.ts'
import type { Poll } from './health-watch.ts'

/** All kinds of calls must succeed for so long, in milliseconds. */
const STEADY_MS = 1000

/** How exactly the moment is found, in milliseconds. */
const STEP_MS = 50

/**
 * The first moment after a fault from which on for a second each kind of call succeeded, none failed and the server was
 * ready. Calls count from when they were sent: those that were under way during the fault belong to it.
 * @param unanswered when the calls and polls were sent whose answers are still to come: they may become failures
 * @returns undefined if there was none yet
 */
export function findRecovery(
  log: CallLog,
  readyPolls: readonly Poll[],
  unanswered: readonly number[],
  ended: number,
): number | undefined {
  const sent = log.filter(({ began }) => began >= ended)
  const failed = [
    ...sent.filter(({ isOk }) => !isOk),
    ...readyPolls.filter(({ began, status }) => began >= ended && status !== 200),
  ]
  const failures = [...failed.map(({ began }) => began), ...unanswered]
  const now = Math.max(ended, ...sent.map((call) => call.ended))
  for (let from = ended; from + STEADY_MS <= now; from += STEP_MS) {
    const isWithin = (at: number) => at >= from && at < from + STEADY_MS
    if (failures.some(isWithin)) continue
    const succeeded = new Set(
      sent.filter((call) => isWithin(call.began) && isWithin(call.ended)).map(({ kind }) => kind),
    )
    if (succeeded.size === KINDS.length) return from
  }
  return undefined
}
