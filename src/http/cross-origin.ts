import { ApiError } from '../base/api-error.ts'
import type { Reply } from '../calls/reply.ts'
import type { Stage, Visit } from './visit.ts'

/*
 * Pages of other origins that call from a browser. Nothing here protects from programs that are no
 * browsers: they leave the header out.
 */

/** What a page may read of an answer beside its body. */
const EXPOSED = [
  'Allow',
  'ETag',
  'Last-Modified',
  'Location',
  'Retry-After',
  'Sforce-Limit-Info',
  'Svc-Limit-Info',
  'Warning',
  'X-Request-Id',
].join(', ')

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** How long a browser may believe a preflight, in seconds. */
const PREFLIGHT_LIFE = '600'

/** Names of headers as a preflight lists them; other texts are not sent back. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~ ,-]{1,2000}$/

const refused = () =>
  new ApiError('FORBIDDEN', 'The origin is not on the list of those that may call this org')

/** The page is one of this server itself. */
function isOwn({ house, request }: Visit, origin: string): boolean {
  if (origin === house.config.publicUrl) return true
  return URL.canParse(origin) && new URL(origin).host === request.headers.host?.toLowerCase()
}

function allow({ response }: Visit, origin: string): void {
  response.headers({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED,
  })
}

function preflight({ request }: Visit): Reply {
  const asked = String(request.headers['access-control-request-headers'] ?? '')
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': METHODS,
      ...(HEADER_NAMES.test(asked) && { 'Access-Control-Allow-Headers': asked }),
      'Access-Control-Max-Age': PREFLIGHT_LIFE,
    },
  }
}

/**
 * Answers preflights and refuses calls of pages whose origin no org allows that is reached here. Before it is known whose
 * token it is: a page must be able to read the 401 too.
 */
export const allowOrigin: Stage = async (visit) => {
  const { house, request, response, method } = visit
  const { origin } = request.headers
  if (origin === undefined) {
    if (method === 'OPTIONS') throw new ApiError('NOT_FOUND', 'The requested resource does not exist')
    return undefined
  }
  response.header('Vary', 'Origin')
  if (!isOwn(visit, origin) && !(await house.hosts.allowsOriginAt(request.hostname, origin))) throw refused()
  allow(visit, origin)
  return method === 'OPTIONS' ? preflight(visit) : undefined
}

/** The same for the org that the call turned out to be for. */
export const allowOriginInOrg: Stage = (visit) => {
  const { house, request, response, runtime } = visit
  const { origin } = request.headers
  if (origin === undefined || isOwn(visit, origin)) return undefined
  if (house.hosts.allowsOrigin(runtime!.org.id, origin)) return undefined
  response.removeHeader('Access-Control-Allow-Origin')
  throw refused()
}
