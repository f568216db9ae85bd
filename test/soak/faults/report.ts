import { type CallLog, countAnswers, type Kind, READING_KINDS } from './call-log.ts'
import type { Fault } from './fault.ts'
import { type Losses, readBack } from './read-back.ts'
import { type Timing, type Watched, watchFault } from './run-fault.ts'
import type { Site } from './site.ts'
import { type Stop, stopInFault } from './stop-in-fault.ts'

/** Effects of a fault, among them those that must not be. */
export interface Report extends Omit<Watched, 'load'> {
  readonly fault: Fault
  readonly answers: ReadonlyMap<Kind, ReadonlyMap<string, number>>
  readonly losses: Losses
  readonly hangs: number
  readonly stop: Omit<Stop, 'load'> | undefined
  /** Answers of a kind that no fault excuses, with how often. */
  readonly unexpected: readonly string[]
}

/** Answers that a call may get during a fault, besides success. */
const EXCUSED = [
  '503',
  '503?',
  '503 (use)',
  '200 with 503 SERVER_UNAVAILABLE',
  '400 UNABLE_TO_LOCK_ROW',
  '200 with 400 UNABLE_TO_LOCK_ROW',
  '400 QUERY_TIMEOUT',
  '200 with 400 QUERY_TIMEOUT',
]

/** And with no process that answers. */
const EXCUSED_WITHOUT_PROCESS = [...EXCUSED, 'cut', 'no server', 'cut (use)', 'no server (use)']

function findUnexpected(log: CallLog, { stopsProcess, keepsReads }: Fault): string[] {
  const excused = stopsProcess ? EXCUSED_WITHOUT_PROCESS : EXCUSED
  const counts = new Map<string, number>()
  for (const { kind, answer, isOk } of log) {
    const isExcused = excused.includes(answer) && !(keepsReads && READING_KINDS.includes(kind))
    if (isOk || isExcused || answer.startsWith('hang')) continue
    counts.set(`${kind}: ${answer}`, (counts.get(`${kind}: ${answer}`) ?? 0) + 1)
  }
  return [...counts].map(([answer, times]) => `${answer} ×${times}`)
}

/** Where a fault is also tried with SIGTERM. */
interface Options extends Timing {
  readonly withStop: boolean
}

/** Tries a fault, then once more with SIGTERM in the middle of it, and reads back what both loads have written. */
export async function reportFault(site: Site, fault: Fault, options: Options): Promise<Report> {
  const { load, ...watched } = await watchFault(site, fault, options)
  const stopped = options.withStop && !fault.stopsProcess ? await stopInFault(site, fault) : undefined
  const losses = await readBack(load, site.tenants)
  losses.wrong.push(...load.wrong)
  if (stopped !== undefined) {
    const more = await readBack(stopped.load, site.tenants)
    losses.lost.push(...more.lost)
    losses.torn.push(...more.torn)
    losses.wrong.push(...more.wrong, ...stopped.load.wrong)
  }
  return {
    ...watched,
    fault,
    answers: countAnswers(watched.during),
    losses,
    hangs: load.log.filter(({ answer }) => answer.startsWith('hang')).length,
    stop: stopped && { code: stopped.code, ms: stopped.ms },
    unexpected: findUnexpected(load.log, fault),
  }
}

const some = (what: string, list: readonly string[]) =>
  list.length === 0 ? [] : [`${what} ${list.length}: ${list.slice(0, 3).join('; ')}`]

/** Returns the untruths that callers were told, and the answers that they must not get. */
export const promisesBrokenIn = ({ losses, hangs, unexpected }: Report): string[] => [
  ...some('lost', losses.lost),
  ...some('torn', losses.torn),
  ...some('wrong', losses.wrong),
  ...(hangs > 0 ? [`calls without an answer: ${hangs}`] : []),
  ...unexpected,
]

/** All that is wrong, one line each; none: the server came through. Times count only where they are bounds. */
export function findFailures(report: Report): string[] {
  const { health, stop, recoveryMs } = report
  return [
    ...promisesBrokenIn(report),
    ...(recoveryMs === undefined ? ['did not recover'] : []),
    ...health.untrue,
    ...(stop?.code === 'late' ? ['did not end within its bound after SIGTERM'] : []),
    ...(typeof stop?.code === 'number' && stop.code > 1 ? [`ended with ${stop.code} after SIGTERM`] : []),
  ]
}
