import { ApiError } from '../base/api-error.ts'
import { didYouMean } from '../base/nearest.ts'
import type { FaultPlan } from '../faults/fault-plan.ts'
import { TOKEN_ROUTE } from '../faults/oauth-errors.ts'
import { ROUTES } from '../resources/routes.ts'
import { SOAP_ROUTES } from '../soap/operation-names.ts'

/** Custom resources are not checked, because the deployment may add them later. */
const CUSTOM = '/services/customrest/'

/** Messages of CometD and the event stream, which are no resources of calls. */
const FOLLOWING = [
  '/event-stream',
  ...['handshake', 'subscribe', 'connect', 'unsubscribe', 'disconnect'].map((name) => `/cometd/${name}`),
]

const PATHS: readonly string[] = [
  ...new Set([...ROUTES.map(({ path }) => path), ...FOLLOWING, ...SOAP_ROUTES, TOKEN_ROUTE]),
]

const isKnown = (route: string) => {
  const start = route.replace(/\*$/, '').toLowerCase()
  if (route.endsWith('*') && CUSTOM.startsWith(start)) return true
  if (start.startsWith(CUSTOM)) return true
  return PATHS.some((path) => {
    const known = path.toLowerCase()
    return route.endsWith('*') ? known.startsWith(start) : known === start
  })
}

/**
 * Rejects a fault plan for an unknown route, which would never match.
 * @throws ApiError INVALID_INPUT with the closest route
 */
export function checkFaultRoute({ match }: FaultPlan): void {
  const route = match?.route
  if (route === undefined || isKnown(route)) return
  throw new ApiError('INVALID_INPUT', `match.route is no route: ${route}${didYouMean(route, PATHS)}`)
}
