import { setTimeout as sleep } from 'node:timers/promises'
import { hangMs } from './bounds.ts'
import { type CallLog, callsBetween, maxWait } from './call-log.ts'
import type { Fault } from './fault.ts'
import { findRecovery } from './find-recovery.ts'
import { HealthWatch } from './health-watch.ts'
import { type Health, judgeHealth } from './judge-health.ts'
import { Load } from './load.ts'
import type { Site } from './site.ts'

/** How long a fault is watched, in milliseconds. */
export interface Timing {
  /** Of load before it. */
  readonly warmUpMs: number
  /** Of the fault itself. */
  readonly holdMs: number
}

/** Observations of a server under load while a fault began, lasted and ended. */
export interface Watched {
  readonly load: Load
  /** Calls that were under way during the fault or sent until the server had recovered. */
  readonly during: CallLog
  /** Of all calls, in milliseconds. */
  readonly maxMs: number
  /** From the end of the fault, in milliseconds; undefined if the server did not recover while it was watched. */
  readonly recoveryMs: number | undefined
  readonly health: Health
}

const CHECK_MS = 250

/** Runs the load, and begins and ends the fault under it. */
export async function watchFault(site: Site, fault: Fault, { warmUpMs, holdMs }: Timing): Promise<Watched> {
  const limitMs = hangMs(site.bounds)
  const load = await Load.begin(site.tenants, fault.name, limitMs)
  const watch = new HealthWatch(site.address)
  await sleep(warmUpMs)
  const began = performance.now()
  await fault.begin()
  try {
    if (!fault.isMomentary) await sleep(holdMs)
  } finally {
    await fault.end()
  }
  const ended = performance.now()
  const recoveredAt = () => {
    const polls = watch.between('/readyz', ended, Number.POSITIVE_INFINITY)
    return findRecovery(load.log, polls, [...load.unanswered, ...watch.unanswered], ended)
  }
  // Hanging calls have an answer by then; a server that has not recovered then does not do so by itself.
  while (recoveredAt() === undefined && performance.now() < ended + limitMs) await sleep(CHECK_MS)
  await Promise.all([load.end(), watch.end()])
  const at = recoveredAt()
  const health = judgeHealth(watch, load.log, {
    ...{ began, ended },
    isWithoutProcess: fault.stopsProcess === true,
    isDatabaseThere: fault.leavesDatabase === true,
  })
  return {
    load,
    during: callsBetween(load.log, began, at ?? performance.now()),
    maxMs: maxWait(load.log),
    recoveryMs: at === undefined ? undefined : at - ended,
    health,
  }
}
