import { createHash } from 'node:crypto'
import type { FaultEffect, FaultMatch, FaultPlan } from './fault-plan.ts'

/** The attributes of a call, or of a step, that fault plans match. */
export interface FaultCall {
  /** Pattern of the route: `/sobjects/:object/:id`, `/services/customrest/orders/:id`. */
  readonly route: string
  readonly method: string
  /** The app that the token was issued to; undefined without a token and for commands on this machine. */
  readonly appId: string | undefined
  readonly appName: string | undefined
  readonly username: string
  /** Major number of the version. */
  readonly version: number
  /** Number of the step, from 1; undefined for a call. */
  readonly step: number | undefined
  /** True if it is a signed webhook delivery. */
  readonly isDelivery: boolean
}

const same = (a: string | undefined, b: string) => a?.toLowerCase() === b.toLowerCase()

function matchesRoute(wanted: string, route: string): boolean {
  if (!wanted.endsWith('*')) return same(wanted, route)
  return route.toLowerCase().startsWith(wanted.slice(0, -1).toLowerCase())
}

const isByKey = (route: string) => route === '/sobjects/:object/:key/:value'

/** True if the call writes records, and so locks rows. */
const writes = ({ method, route }: FaultCall) =>
  !['GET', 'HEAD'].includes(method) &&
  /^\/(sobjects|composite\/sobjects|composite\/tree|jobs\/ingest\/:id\/batches)(\/|$)/.test(route) &&
  `${method} ${route}` !== 'POST /composite/sobjects/:object'

/** Which calls an effect can apply to. A plan ignores calls on which it would have no effect. */
const LOCATIONS: { readonly [Name in keyof FaultEffect]?: (call: FaultCall) => boolean } = {
  token: ({ appId }) => appId !== undefined,
  ambiguousKey: ({ route }) => isByKey(route),
  lockedRow: writes,
  haltAtStep: ({ route }) => route === '/composite/batch',
  pageRows: ({ route }) => route === '/query' || route === '/queryAll',
  latestDateCovered: ({ route }) => /^\/sobjects\/:object\/(updated|deleted)$/.test(route),
  delivery: ({ isDelivery }) => isDelivery,
}

export function canHappen(effect: FaultEffect, call: FaultCall): boolean {
  const [name] = Object.keys(effect) as [keyof FaultEffect]
  return LOCATIONS[name]?.(call) ?? true
}

/** True if a plan matches a call. Names are compared without case. */
export function matchesCall({ match = {}, effect }: FaultPlan, call: FaultCall): boolean {
  const { route, method, app, user, version, step } = match
  return (
    step === call.step &&
    (route === undefined || matchesRoute(route, call.route)) &&
    (method === undefined || method === call.method) &&
    (app === undefined || app === call.appId || same(call.appName, app)) &&
    (user === undefined || same(call.username, user)) &&
    (version === undefined || version === call.version) &&
    canHappen(effect, call)
  )
}

/** A pseudorandom number from 0 to 100, exclusive; the same for a seed and a number in every process. */
function randomPercent(seed: number, number: number): number {
  const bytes = createHash('sha256').update(`${seed} ${number}`).digest()
  return (bytes.readUInt32BE(0) / 2 ** 32) * 100
}

/** True if a plan applies to the n-th of the calls that match it, from 1. It depends on nothing else, so runs are repeatable. */
export function appliesTo({ nth, every, percent, seed = 0 }: FaultMatch, number: number): boolean {
  if (nth !== undefined) return number === nth
  if (every !== undefined) return number % every === 0
  if (percent !== undefined) return randomPercent(seed, number) < percent
  return true
}
