import { createHash } from 'node:crypto'
import type { FaultEffect, FaultMatch, FaultPlan } from './fault-plan.ts'
import { findNamedRoutes, LOG_IN_ROUTES } from './log-ins/log-in-routes.ts'
import type { GrantName } from './log-ins/oauth-errors.ts'

/** The request of a follower of events, or an event for one. */
export interface Following {
  /** Names of the channels that a message is about, or that an event comes by. */
  readonly channels: readonly string[]
  /** True if it says after which position events are wanted. */
  readonly hasPosition: boolean
  /** Absent for a message and the beginning of a stream. */
  readonly event:
    | {
        /** It tells of a change, with values. */
        readonly isWholeChange: boolean
        /** It came before, with another position. */
        readonly isCopy: boolean
        /** How many events behind it tell the same of other records. */
        readonly alike: number
      }
    | undefined
}

/** The attributes of a call, or of a step, that fault plans match. */
export interface FaultCall {
  /** Pattern of the route: `/sobjects/:object/:id`, `/services/customrest/orders/:id`. */
  readonly route: string
  readonly method: string
  /** Of a token request. */
  readonly grant?: GrantName | undefined
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
  /** Undefined for calls. */
  readonly following?: Following | undefined
}

const same = (a: string | undefined, b: string) => a?.toLowerCase() === b.toLowerCase()

/** True if a name is the wanted one, or begins like it where that ends in `*`. */
function matchesName(wanted: string, name: string): boolean {
  if (!wanted.endsWith('*')) return same(wanted, name)
  return name.toLowerCase().startsWith(wanted.slice(0, -1).toLowerCase())
}

const matchesRoute = (wanted: string, route: string): boolean =>
  findNamedRoutes(wanted).some((one) => matchesName(one, route))

const isByKey = (route: string) => route === '/sobjects/:object/:key/:value'

/** True if the call writes records, and so locks rows. */
const writes = ({ method, route }: FaultCall) =>
  !['GET', 'HEAD'].includes(method) &&
  /^\/(sobjects|composite\/sobjects|composite\/tree|jobs\/ingest\/:id\/batches)(\/|$)/.test(route) &&
  `${method} ${route}` !== 'POST /composite/sobjects/:object'

/** The effects on token requests and pages of log-ins; no others. */
const OF_LOG_INS: { readonly [Name in keyof FaultEffect]?: (call: FaultCall) => boolean } = {
  oauth: () => true,
  refreshToken: ({ grant }) => grant === 'refresh_token',
  status: () => true,
  latency: () => true,
  cut: () => true,
}

/** Which calls an effect can apply to. A plan ignores calls on which it would have no effect. */
const LOCATIONS: { readonly [Name in keyof FaultEffect]?: (call: FaultCall) => boolean } = {
  token: ({ appId }) => appId !== undefined,
  ambiguousKey: ({ route }) => isByKey(route),
  lockedRow: writes,
  haltAtStep: ({ route }) => route === '/composite/batch',
  pageRows: ({ route }) => route === '/query' || route === '/queryAll',
  latestDateCovered: ({ route }) => /^\/sobjects\/:object\/(updated|deleted)$/.test(route),
  delivery: ({ isDelivery }) => isDelivery,
  oauth: () => false,
  refreshToken: () => false,
}

type FollowerEffect = (following: Following, call: FaultCall, effect: FaultEffect) => boolean

/** The effects on followers of events, and their conditions; no others. */
const OF_FOLLOWERS: { readonly [Name in keyof FaultEffect]?: FollowerEffect } = {
  token: ({ event }, { appId }) => event === undefined && appId !== undefined,
  replay: ({ event, hasPosition }) => event === undefined && hasPosition,
  client: ({ event }, { route }) => event === undefined && /^\/cometd\/(?!handshake)/.test(route),
  stream: ({ event }) => event !== undefined,
  silence: ({ event }) => event !== undefined,
  limit: ({ event }, _call, { limit }) => event !== undefined && limit === 'deliveries',
  event({ event }, _call, effect) {
    if (event === undefined) return false
    if (effect.event === 'twice') return !event.isCopy
    return event.isWholeChange && (effect.event === 'gap' || event.alike > 0)
  },
}

/** Effects that nothing but an event or a message of a follower can have. */
const ONLY_FOLLOWERS: ReadonlySet<keyof FaultEffect> = new Set([
  'replay',
  'client',
  'stream',
  'silence',
  'event',
])

/** True if an effect can meet those who follow events. */
export const isAboutFollowers = (effect: FaultEffect): boolean =>
  (Object.keys(effect) as (keyof FaultEffect)[]).some((name) => OF_FOLLOWERS[name] !== undefined)

export function canHappen(effect: FaultEffect, call: FaultCall): boolean {
  const [name] = Object.keys(effect) as [keyof FaultEffect]
  const { following } = call
  if (LOG_IN_ROUTES.includes(call.route)) return OF_LOG_INS[name]?.(call) ?? false
  if (following !== undefined) return OF_FOLLOWERS[name]?.(following, call, effect) ?? false
  if (ONLY_FOLLOWERS.has(name) || effect.limit === 'deliveries') return false
  return LOCATIONS[name]?.(call) ?? true
}

/** Returns what the route of a plan begins with at least, to name a log-in. */
const getPrefix = (route: string) => (route.startsWith('/services/oauth2/') ? '/services/oauth2/' : route)

/** A plan for all calls is none for log-ins: whoever tests calls needs tokens for that. */
export const namesLogIn = ({ route: wanted, grant }: FaultMatch, { route }: FaultCall): boolean =>
  grant !== undefined ||
  (wanted !== undefined &&
    findNamedRoutes(wanted).some((one) => one.toLowerCase().startsWith(getPrefix(route))))

/** True if a plan matches a call. Names are compared without case. */
export function matchesCall({ match = {}, effect }: FaultPlan, call: FaultCall): boolean {
  const { route, method, grant, app, user, version, step, channel } = match
  if (LOG_IN_ROUTES.includes(call.route) && !namesLogIn(match, call)) return false
  return (
    step === call.step &&
    (route === undefined || matchesRoute(route, call.route)) &&
    (method === undefined || method === call.method) &&
    (grant === undefined || grant === call.grant) &&
    (channel === undefined || call.following?.channels.some((one) => matchesName(channel, one)) === true) &&
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
