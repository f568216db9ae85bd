import { ApiError, notFound } from '../../base/api-error.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import type { HttpContext, InOrg } from '../pipeline/http-context.ts'
import { answered, type Middleware } from '../pipeline/pipeline.ts'

/*
 * Pages of other origins that call from a browser. Nothing here protects from other programs: they
 * leave the header out.
 */

/** The headers of a reply that a page may read. */
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

/** How long a browser may cache a preflight, in seconds. */
const PREFLIGHT_LIFE = '600'

/** Names of headers as a preflight lists them; other texts are not sent back. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~ ,-]{1,2000}$/

const refused = () =>
  new ApiError('FORBIDDEN', 'The origin is not on the list of those that may call this org')

interface CrossOriginServices {
  readonly config: Pick<Config, 'publicUrl'>
  readonly hosts: OrgHosts
}

/** The page is one of this server itself. */
function isOwn({ config }: CrossOriginServices, { request }: HttpContext, origin: string): boolean {
  if (origin === config.publicUrl) return true
  return URL.canParse(origin) && new URL(origin).host === request.headers.host?.toLowerCase()
}

function allow({ response }: HttpContext, origin: string): void {
  response.headers({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED,
  })
}

function makePreflightReply({ request }: HttpContext): Reply {
  const wanted = String(request.headers['access-control-request-headers'] ?? '')
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': METHODS,
      ...(HEADER_NAMES.test(wanted) && { 'Access-Control-Allow-Headers': wanted }),
      'Access-Control-Max-Age': PREFLIGHT_LIFE,
    },
  }
}

/**
 * Answers preflights and refuses calls of pages whose origin is allowed by no org that is reached here. It comes before the
 * token is looked at, because a page must be able to read the 401 too.
 * @throws ApiError FORBIDDEN
 */
export function allowOrigin(services: CrossOriginServices): Middleware<HttpContext> {
  const check = async (context: HttpContext, origin: string) => {
    const { request, response, method } = context
    response.header('Vary', 'Origin')
    const isAllowed =
      isOwn(services, context, origin) || (await services.hosts.allowsOriginAt(request.hostname, origin))
    if (!isAllowed) throw refused()
    allow(context, origin)
    return method === 'OPTIONS' ? answered(makePreflightReply(context)) : undefined
  }
  return (context) => {
    const { origin } = context.request.headers
    if (origin !== undefined) return check(context, origin)
    if (context.method === 'OPTIONS') {
      throw notFound()
    }
    return undefined
  }
}

/**
 * The same for the org that the call turned out to be for.
 * @throws ApiError FORBIDDEN
 */
export const allowOriginInOrg =
  (services: CrossOriginServices): Middleware<HttpContext & InOrg> =>
  (context) => {
    const { request, response, runtime } = context
    const { origin } = request.headers
    if (origin === undefined || isOwn(services, context, origin)) return undefined
    if (services.hosts.allowsOrigin(runtime.org.id, origin)) return undefined
    response.removeHeader('Access-Control-Allow-Origin')
    throw refused()
  }
