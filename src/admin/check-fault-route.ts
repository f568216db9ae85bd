import { ApiError } from '../base/api-error.ts'
import { didYouMean } from '../base/nearest.ts'
import { classicRoutes } from '../bulk/classic/classic-routes.ts'
import type { FaultPlan } from '../faults/fault-plan.ts'
import { findNamedRoutes, LOG_IN_ROUTES } from '../faults/log-ins/log-in-routes.ts'
import { ROUTES } from '../resources/routes.ts'
import { SOAP_ROUTES } from '../soap/operation-names.ts'

/** Custom resources are not checked, because the deployment may add them later. */
const CUSTOM = '/services/customrest/'

/** Messages of CometD and the event stream, which are no resources of calls. */
const FOLLOWING: readonly string[] = [
  '/event-stream',
  ...['handshake', 'subscribe', 'connect', 'unsubscribe', 'disconnect'].map((name) => `/cometd/${name}`),
]

const PATHS: readonly string[] = [
  ...new Set([
    ...[...ROUTES, ...classicRoutes].map(({ path }) => path),
    ...FOLLOWING,
    ...SOAP_ROUTES,
    ...LOG_IN_ROUTES,
  ]),
]

/** Messages of clients that follow channels. */
const OF_CHANNELS = FOLLOWING.filter((route) => route !== '/cometd/handshake')

/** Routes whose answers bring events. */
const OF_EVENTS = ['/event-stream', '/cometd/connect']

/** The routes that a plan can meet; `PATHS`: custom resources too. */
function listRoutes({ match, effect }: FaultPlan): readonly string[] {
  const { replay, client, stream, silence, event, limit } = effect
  if (replay !== undefined) return ['/event-stream', '/cometd/subscribe']
  if (client !== undefined) return OF_CHANNELS.filter((route) => route !== '/event-stream')
  const isOfEvents = stream !== undefined || silence !== undefined || event !== undefined
  if (isOfEvents || limit === 'deliveries') return OF_EVENTS
  return match?.channel === undefined ? PATHS : OF_CHANNELS
}

/** True if a route, which may have a `*` at its end, is one of the paths or begins like one. */
function isAmong(route: string, paths: readonly string[]): boolean {
  const start = route.replace(/\*$/, '').toLowerCase()
  return paths.some((path) => {
    const known = path.toLowerCase()
    return route.endsWith('*') ? known.startsWith(start) : known === start
  })
}

function isKnown(route: string): boolean {
  const start = route.replace(/\*$/, '').toLowerCase()
  if (route.endsWith('*') && CUSTOM.startsWith(start)) return true
  return start.startsWith(CUSTOM) || isAmong(route, PATHS)
}

/**
 * Rejects a fault plan for an unknown route, or one that its effect does not meet: it would never match.
 * @throws ApiError INVALID_INPUT with the closest route, or those of the effect
 */
export function checkFaultRoute(plan: FaultPlan): void {
  const written = plan.match?.route
  if (written === undefined) return
  // A short name of several routes has them all in one place.
  const [route] = findNamedRoutes(written) as [string]
  if (!isKnown(route)) {
    throw new ApiError('INVALID_INPUT', `match.route is no route: ${route}${didYouMean(route, PATHS)}`)
  }
  const able = listRoutes(plan)
  if (able === PATHS || isAmong(route, able)) return
  const [name] = Object.keys(plan.effect)
  throw new ApiError(
    'INVALID_INPUT',
    `match.route is ${written}, where ${name} never strikes: it does at ${able.join(', ')}`,
  )
}
