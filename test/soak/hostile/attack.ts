import { type CallerCall, Callers } from './callers.ts'
import { generateRequests } from './generated.ts'
import { type Hold, type HoldWatch, now } from './hold-watch.ts'
import type { HostileRequest } from './hostile-request.ts'
import type { Location } from './place.ts'
import { CROWD } from './requests/costly.ts'
import { slowRequests } from './requests/transport.ts'
import { MAX_HOLD_MS, runAlone, type Tried } from './run-alone.ts'
import { type Outcome, sendHostile } from './send-hostile.ts'

/** Between two calls of a caller of one kind, in milliseconds. */
const PAUSE_MS = 250

export interface Sent {
  readonly request: HostileRequest
  readonly outcome: Outcome
}

/** Measurements of an attack. */
export interface Attack {
  /** One after the other, each with what it held. */
  readonly alone: readonly Tried[]
  /** Several at a time. */
  readonly mixed: readonly Sent[]
  /** Each costly one many times at once. */
  readonly crowds: readonly Sent[]
  readonly slow: readonly Sent[]
  /** The longest hold while several were under way, and the requests that were under way then. */
  readonly mixedHold: { readonly hold: Hold; readonly during: readonly string[] }
  readonly idleCalls: readonly CallerCall[]
  readonly calls: readonly CallerCall[]
  readonly idleMegabytes: number
  readonly maxMegabytes: number
  /** The request by name after which the memory was at its maximum; undefined if that was while several were under way. */
  readonly maxMegabytesBy: string | undefined
  /** While each costly one was sent many times at once. */
  readonly maxCrowdMegabytes: number
  /** Of the heap of the main thread. */
  readonly mostHeapMegabytes: number
  readonly seconds: number
  readonly failures: readonly string[]
  readonly isAlive: boolean
}

export interface Plan {
  readonly requests: readonly HostileRequest[]
  readonly crowds: readonly HostileRequest[]
  readonly seed: number
  readonly idleSeconds: number
  /** All together, without the idle time; those of the list are all sent, however long they take. */
  readonly seconds: number
  readonly atOnce: number
  readonly withSlow: boolean
  readonly say: (text: string) => void
}

function makeCallers(location: Location): Callers {
  const { addresses, token, clientId, clientSecret, accountId } = location
  return new Callers({
    address: addresses.main,
    siteAddress: addresses.site,
    token,
    clientId,
    clientSecret,
    accountId,
    pauseMs: PAUSE_MS,
  })
}

const sleepUntil = (time: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, time - now())))

/** Sends requests, some at a time, until the time is over. */
async function sendMixed(
  location: Location,
  requests: Generator<HostileRequest>,
  { atOnce, until }: { readonly atOnce: number; readonly until: number },
): Promise<Sent[]> {
  const sent: Sent[] = []
  const sendOn = async () => {
    while (now() < until && location.isAlive()) {
      const request = requests.next().value as HostileRequest
      sent.push({ request, outcome: await sendHostile(request, location.addresses, location.boundMs) })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendOn))
  return sent
}

/** The most that the server may hold beyond its memory when it was idle. */
export const MAX_ADDED_MEGABYTES = 400

/** The same while many large bodies come at once: those of one org may have 150 MB before they are read. */
export const MAX_CROWD_MEGABYTES = MAX_ADDED_MEGABYTES + 150

/** By how much the most must grow to be told again. */
const STEP_MEGABYTES = 50

/** Longer than this a request takes without being wrong, in milliseconds. */
const LONG_MS = 10_000

const isWorthSaying = ({ outcome, hold }: Tried) =>
  outcome.isFailure || hold.cpuMs > MAX_HOLD_MS || outcome.ended - outcome.began > LONG_MS

const describeTried = ({ request, outcome, hold }: Tried) =>
  `  ${request.name.slice(0, 100)}: ${outcome.answer} after ${((outcome.ended - outcome.began) / 1000).toFixed(1)} s, held ${hold.cpuMs.toFixed(0)} ms of the processor, ${hold.ms.toFixed(0)} of the clock`

function describeCrowd(crowd: readonly Sent[], holds: HoldWatch): string {
  const [began, ended] = [
    Math.min(...crowd.map(({ outcome }) => outcome.began)),
    Math.max(...crowd.map(({ outcome }) => outcome.ended)),
  ]
  const answers = [...Map.groupBy(crowd, ({ outcome }) => outcome.answer)]
    .map(([answer, { length }]) => `${answer} ×${length}`)
    .join(', ')
  const { cpuMs } = holds.worstBetween(began, ended)
  return `  ${CROWD} × ${crowd[0]!.request.name}: ${answers} in ${((ended - began) / 1000).toFixed(1)} s, held ${cpuMs.toFixed(0)} ms`
}

/** Callers call while the server is idle, then while it is attacked: by one request at a time, then by several. */
export async function attack(location: Location, plan: Plan): Promise<Attack> {
  const { requests, seed, idleSeconds, seconds, atOnce, say } = plan
  say(`${requests.length} requests by name, seed ${seed}`)
  const idleCallers = makeCallers(location)
  await sleepUntil(now() + idleSeconds * 1000)
  const idleCalls = await idleCallers.end()
  const { max: idleMegabytes } = location.memory()
  const began = now()
  const callers = makeCallers(location)
  const slow = plan.withSlow
    ? slowRequests(location).map(async (request) => ({
        request,
        outcome: await sendHostile(request, location.addresses, location.boundMs),
      }))
    : []
  const alone: Tried[] = []
  let [maxMegabytes, maxMegabytesBy]: [number, string | undefined] = [0, undefined]
  for (const [index, request] of requests.entries()) {
    if (!location.isAlive()) break
    const tried = await runAlone(location, request)
    alone.push(tried)
    const { max } = location.memory()
    const isMuch = max > idleMegabytes + MAX_ADDED_MEGABYTES && max > maxMegabytes + STEP_MEGABYTES
    if (isMuch) say(`  ${request.name}: ${max.toFixed(0)} MB are held`)
    if (max > maxMegabytes) [maxMegabytes, maxMegabytesBy] = [max, request.name]
    if (isWorthSaying(tried)) say(describeTried(tried))
    if ((index + 1) % 100 === 0)
      say(`${index + 1} of ${requests.length} sent, ${((now() - began) / 1000).toFixed(0)} s`)
  }
  const crowds: Sent[] = []
  let maxCrowdMegabytes = 0
  const crowdsFrom = now()
  for (const request of location.isAlive() ? plan.crowds : []) {
    const crowd = await Promise.all(
      Array.from({ length: CROWD }, async () => ({
        request,
        outcome: await sendHostile(request, location.addresses, location.boundMs),
      })),
    )
    crowds.push(...crowd)
    const { max } = location.memory()
    maxCrowdMegabytes = Math.max(max, maxCrowdMegabytes)
    say(`${describeCrowd(crowd, location.holds)}, ${max.toFixed(0)} MB`)
  }
  const until = began + seconds * 1000
  if (now() < until) say(`${atOnce} at a time, ${((until - now()) / 1000).toFixed(0)} s`)
  const mixed = await sendMixed(location, generateRequests(requests, seed), { atOnce, until })
  const hold = [...location.holds.all]
    .filter((one) => one.began >= crowdsFrom)
    .sort((a, b) => b.cpuMs - a.cpuMs)[0] ?? { began: 0, ms: 0, cpuMs: 0 }
  const during = [...crowds, ...mixed]
    .filter(({ outcome }) => outcome.began <= hold.began + hold.ms && outcome.ended >= hold.began)
    .map(({ request }) => request.name)
  const calls = await callers.end()
  const { max } = location.memory()
  if (max > maxMegabytes) [maxMegabytes, maxMegabytesBy] = [max, undefined]
  return {
    alone,
    mixed,
    crowds,
    slow: await Promise.all(slow),
    mixedHold: { hold, during },
    idleCalls,
    calls,
    idleMegabytes,
    maxMegabytes,
    maxMegabytesBy,
    maxCrowdMegabytes,
    mostHeapMegabytes: location.holds.mostHeap,
    seconds: (now() - began) / 1000,
    failures: location.failures,
    isAlive: location.isAlive(),
  }
}
