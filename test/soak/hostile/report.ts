import { type Attack, MAX_ADDED_MEGABYTES, MAX_CROWD_MEGABYTES, type Sent } from './attack.ts'
import { type CallerCall, percentile } from './callers.ts'
import { HEAP_MEGABYTES } from './place.ts'
import { CROWD } from './requests/costly.ts'
import { MAX_HOLD_MS, type Tried } from './run-alone.ts'

/** Callers may wait this much longer than on an idle server, in milliseconds. */
const MAX_ADDED_MS = 250

/** Of the heap's limit. */
const MAX_HEAP_SHARE = 0.8

const shorten = (text: string, max = 70) => (text.length > max ? `${text.slice(0, max)}...` : text)

function countAnswers(sent: readonly Sent[]): string {
  const counts = Map.groupBy(sent, ({ outcome }) => outcome.answer)
  return [...counts]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, 8)
    .map(([answer, { length }]) => `${shorten(answer, 30)} ×${length}`)
    .join(', ')
}

const wholeMs = (ms: number) => ms.toFixed(0)

const longest = (sent: readonly Sent[]) =>
  sent.reduce((max, { outcome }) => Math.max(max, outcome.ended - outcome.began), 0) / 1000

const findWorst = (tried: readonly Tried[]) =>
  tried.reduce((worst, one) => (one.hold.cpuMs > worst.hold.cpuMs ? one : worst))

/** A row for each kind of request, and one for each kind of caller. */
export function describeAttack({
  alone,
  mixed,
  crowds,
  slow,
  mixedHold,
  idleCalls,
  calls,
  ...rest
}: Attack): string {
  const kinds = [...Map.groupBy(alone, ({ request }) => request.kind)].map(([kind, tried]) => {
    const worst = findWorst(tried)
    const hold = `${wholeMs(worst.hold.cpuMs)} (${wholeMs(worst.hold.ms)})`
    return `| ${kind} | ${tried.length} | ${countAnswers(tried)} | ${longest(tried).toFixed(1)} | ${hold} | ${shorten(worst.request.name)} |`
  })
  const others = [
    ['crowds', crowds],
    ['generated', mixed],
    ['slow clients', slow],
  ] as const
  const added = others
    .filter(([, sent]) => sent.length > 0)
    .map(([kind, sent]) => {
      const { hold } = mixedHold
      const held = kind === 'generated' ? `${wholeMs(hold.cpuMs)} (${wholeMs(hold.ms)})` : ''
      return `| ${kind} | ${sent.length} | ${countAnswers(sent)} | ${longest(sent).toFixed(1)} | ${held} | |`
    })
  const ms = (some: readonly CallerCall[], share: number) => percentile(some, share).toFixed(0)
  const callers = [...Map.groupBy(calls, ({ kind }) => kind)].map(([kind, some]) => {
    const idle = idleCalls.filter((call) => call.kind === kind)
    const statuses = [...new Set(some.map(({ status }) => status))].join(', ')
    return `| ${kind} | ${some.length} | ${ms(idle, 0.5)}, ${ms(idle, 0.99)} | ${ms(some, 0.5)}, ${ms(some, 0.99)} | ${statuses} |`
  })
  return [
    '| kind | requests | answers | longest, s | longest hold, ms of the processor (of the clock) | by |',
    '|---|---|---|---|---|---|',
    ...kinds,
    ...added,
    '',
    '| caller | calls | idle p50, p99, ms | attacked p50, p99, ms | statuses |',
    '|---|---|---|---|---|',
    ...callers,
    '',
    `memory: ${wholeMs(rest.idleMegabytes)} MB idle, ${wholeMs(rest.maxMegabytes)} MB at most (${shorten(rest.maxMegabytesBy ?? 'several at a time')}), ${wholeMs(rest.maxCrowdMegabytes)} MB with ${CROWD} of one at once; heap ${wholeMs(rest.mostHeapMegabytes)} MB of ${HEAP_MEGABYTES} at most; ${rest.seconds.toFixed(0)} s`,
  ].join('\n')
}

/**
 * Returns the requests that were answered wrong, or not at all.
 * @param mayBeBusy whether other callers may be answered with 503: one connection carries everything out in turn
 */
export function findWrongAnswers(
  { alone, mixed, crowds, slow, calls, failures, isAlive }: Attack,
  mayBeBusy: boolean,
): string[] {
  const sent = [...alone, ...mixed, ...crowds, ...slow]
  const failed = sent.filter(({ outcome }) => outcome.isFailure)
  const allowed = mayBeBusy ? /^(?:2\d\d|503)$/ : /^2\d\d$/
  const refused = calls.filter(({ status }) => !allowed.test(status))
  return [
    ...(isAlive ? [] : ['the server has ended']),
    ...failed.map(
      ({ request, outcome }) =>
        `${shorten(request.name, 200)}: ${outcome.answer} ${outcome.text.slice(-300)}`,
    ),
    ...failures.map((line) => `logged: ${shorten(line, 1000)}`),
    ...refused
      .slice(0, 10)
      .map(
        (call) =>
          `a caller (${call.kind}) was answered with ${call.status} after ${wholeMs(call.ms)} ms during ${findCauses(sent, [call])}`,
      ),
  ]
}

/** The requests that were under way while the slowest calls of a kind waited. */
function findCauses(sent: readonly Sent[], calls: readonly CallerCall[]): string {
  const slowest = calls.toSorted((a, b) => b.ms - a.ms).slice(0, Math.ceil(calls.length / 100))
  const during = slowest.flatMap(({ began, ms }) =>
    sent.filter(({ outcome }) => outcome.began <= began + ms && outcome.ended >= began),
  )
  const names = [...Map.groupBy(during, ({ request }) => request.name)]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, 4)
  return names.map(([name, { length }]) => `${shorten(name)} ×${length}`).join('; ')
}

/** Returns the excesses of time and memory. Time that the processor was somebody else's does not count as a hold. */
export function findExcesses({
  alone,
  crowds,
  mixed,
  mixedHold,
  idleCalls,
  calls,
  idleMegabytes,
  maxMegabytes,
  maxCrowdMegabytes,
  mostHeapMegabytes,
}: Attack): string[] {
  const p99Of = (kind: string, some: readonly CallerCall[]) =>
    percentile(
      some.filter((call) => call.kind === kind),
      0.99,
    )
  const slow = [...new Set(calls.map(({ kind }) => kind))].filter(
    (kind) => p99Of(kind, calls) > p99Of(kind, idleCalls) + MAX_ADDED_MS,
  )
  const holding = alone.filter(({ hold }) => hold.cpuMs > MAX_HOLD_MS)
  const { hold, during } = mixedHold
  return [
    ...holding.map(
      ({ request, hold: { cpuMs } }) =>
        `${shorten(request.name, 200)} holds the event loop for ${wholeMs(cpuMs)} ms`,
    ),
    ...(hold.cpuMs > MAX_HOLD_MS
      ? [
          `the event loop was held for ${wholeMs(hold.cpuMs)} ms during: ${during.map((name) => shorten(name)).join('; ')}`,
        ]
      : []),
    ...slow.map(
      (kind) =>
        `callers of ${kind} wait for ${wholeMs(p99Of(kind, calls))} ms (p99), ${wholeMs(p99Of(kind, idleCalls))} when idle; the slowest during: ${findCauses(
          [...alone, ...crowds, ...mixed],
          calls.filter((call) => call.kind === kind),
        )}`,
    ),
    ...(maxMegabytes > idleMegabytes + MAX_ADDED_MEGABYTES
      ? [`${wholeMs(maxMegabytes)} MB are held, ${wholeMs(idleMegabytes)} when idle`]
      : []),
    ...(maxCrowdMegabytes > idleMegabytes + MAX_CROWD_MEGABYTES
      ? [`${wholeMs(maxCrowdMegabytes)} MB are held while ${CROWD} of one request come at once`]
      : []),
    ...(mostHeapMegabytes > MAX_HEAP_SHARE * HEAP_MEGABYTES
      ? [`the heap held ${wholeMs(mostHeapMegabytes)} MB of ${HEAP_MEGABYTES}`]
      : []),
  ]
}
