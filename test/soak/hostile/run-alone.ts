import { setTimeout as sleep } from 'node:timers/promises'
import { type Hold, NO_HOLD } from './hold-watch.ts'
import type { HostileRequest } from './hostile-request.ts'
import type { Location } from './place.ts'
import { type Outcome, sendHostile } from './send-hostile.ts'

/** The event loop may be held no longer than this, in milliseconds. */
export const MAX_HOLD_MS = 200

/** A hold that is too long is looked at this often: the machine may have been busy, and a request's own hold comes every time. */
const TRIES = 3

/** The remains of a request are done within this, in milliseconds. */
const SETTLE_MS = 15

export interface Tried {
  readonly request: HostileRequest
  readonly outcome: Outcome
  /** The shortest of the longest holds of some tries. */
  readonly hold: Hold
}

/** Sends a request while nothing else hostile is under way, so that what holds the event loop is known. */
export async function runAlone(location: Location, request: HostileRequest): Promise<Tried> {
  let hold: Hold | undefined
  for (let tries = 0; ; tries++) {
    const outcome = await sendHostile(request, location.addresses, location.boundMs)
    await sleep(SETTLE_MS)
    const one = location.holds.worstBetween(outcome.began, outcome.ended + SETTLE_MS)
    hold = hold === undefined || one.cpuMs < hold.cpuMs ? one : hold
    if (hold.cpuMs <= MAX_HOLD_MS || tries + 1 >= TRIES || outcome.isFailure)
      return { request, outcome, hold: hold ?? NO_HOLD }
  }
}
