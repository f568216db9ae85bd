import type { FaultEffect, FaultPlan } from './fault-plan.ts'

/** What plans look at of a call, or of a step of one. */
export interface FaultCall {
  /** Pattern of the route: `/sobjects/:object/:id`, `/services/customrest/orders/:id`. */
  readonly route: string
  readonly method: string
  /** Whom the token was given to; undefined: there is none, or it is of a command on this machine. */
  readonly appId: string | undefined
  readonly appName: string | undefined
  readonly username: string
  /** Major number of the version. */
  readonly version: number
  /** Number of the step, from 1; undefined: it is a call by itself. */
  readonly step: number | undefined
  /** Whether it goes to a receiver of signed deliveries. */
  readonly isDelivery: boolean
}

const same = (a: string | undefined, b: string) => a?.toLowerCase() === b.toLowerCase()

function fitsRoute(wanted: string, route: string): boolean {
  if (!wanted.endsWith('*')) return same(wanted, route)
  return route.toLowerCase().startsWith(wanted.slice(0, -1).toLowerCase())
}

const isByKey = (route: string) => route === '/sobjects/:object/:key/:value'

/** Records are written: what locks rows. */
const writes = ({ method, route }: FaultCall) =>
  !['GET', 'HEAD'].includes(method) &&
  /^\/(sobjects|composite\/sobjects|composite\/tree)(\/|$)/.test(route) &&
  `${method} ${route}` !== 'POST /composite/sobjects/:object'

/** Where an effect can happen at all: a plan does not strike calls that would not notice. */
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

/** Whether a plan is about a call. Names are compared without case. */
export function fits({ match = {}, effect }: FaultPlan, call: FaultCall): boolean {
  const { route, method, app, user, version, step } = match
  return (
    step === call.step &&
    (route === undefined || fitsRoute(route, call.route)) &&
    (method === undefined || method === call.method) &&
    (app === undefined || app === call.appId || same(call.appName, app)) &&
    (user === undefined || same(call.username, user)) &&
    (version === undefined || version === call.version) &&
    canHappen(effect, call)
  )
}
