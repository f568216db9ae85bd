import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify'
import { ApiError } from '../base/api-error.ts'
import { toApiError } from '../calls/dispatch.ts'
import { errorReply, type Reply } from '../calls/reply.ts'
import { trackRequests } from './current-request.ts'
import { drainRequests } from './drain-request.ts'
import { noteCall, type Outcome } from './note-call.ts'
import { oauthErrorReply } from './oauth-reply.ts'
import { routePages } from './pages/page-doors.ts'
import { replyWithId, requestId } from './request-id.ts'
import { requestTarget } from './request-target.ts'
import { type Door, stagesOf } from './stages.ts'
import { tellRequests } from './tell-requests.ts'
import { type House, makeVisit, type Stage, type Visit } from './visit.ts'
import { sendReply } from './wire.ts'

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Doors that pages of other origins may call: their browsers ask first. */
const CROSS_ORIGIN: readonly Door[] = ['versions', 'data', 'custom', 'site']

/** Longer addresses and headers than this are cut off by Node before we see them. */
const MOST_HEADER_BYTES = 256 * 1024

type Doors = readonly (readonly [string, Door])[]

/** Where custom resources are, also under the name that stock clients use. (contract/records 9) */
const CUSTOM_PATHS = ['customrest', 'apexrest'].flatMap((name) => [
  `/services/${name}`,
  `/services/${name}/*`,
])

/** Every door with its address; the pages have their own. */
export const DOORS: Doors = [
  ['/services/data', 'versions'],
  ['/services/data/*', 'data'],
  ...CUSTOM_PATHS.map((path) => [path, 'custom'] as const),
  ['/setup/*', 'setup'],
  ['/services/oauth2/token', 'token'],
  ['/services/oauth2/revoke', 'revoke'],
  ['/services/oauth2/introspect', 'introspect'],
  ['/services/oauth2/userinfo', 'userinfo'],
  ['/id/:org/:user', 'identity'],
  ['/id/keys', 'keys'],
  ['/.well-known/openid-configuration', 'discovery'],
  ['/.well-known/oauth-authorization-server', 'discovery'],
]

/** All that the public site has. (interface.md "Authentication" 8) */
export const SITE_DOORS: Doors = CUSTOM_PATHS.map((path) => [path, 'site'] as const)

/** How long the headers of a request may take to arrive, in milliseconds. */
const HEADERS_TIMEOUT_MS = 60_000

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

function rawRefusal({ code }: NodeJS.ErrnoException): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('REQUEST_HEADERS_TOO_LARGE', 'The address and the headers are too long.')
    case REQUEST_TIMEOUT:
      return new ApiError('JSON_PARSER_ERROR', 'The request took too long to arrive.', { status: 408 })
    default:
      return new ApiError('JSON_PARSER_ERROR', 'The request is not HTTP.')
  }
}

/** What Node refuses before it is a request: answered in our own shape, then the connection is closed. */
function refuseRawRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const refusal = rawRefusal(error)
  const body = JSON.stringify(refusal.items)
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/json;charset=UTF-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  // The client may never close its side.
  if (error.code === REQUEST_TIMEOUT) socket.destroySoon()
}

/** Doors behind whose address there are many resources; their stages say which is meant. */
const WITH_ROUTES: readonly Door[] = ['data', 'custom', 'site']

/** How a door writes an error. */
const ERROR_SHAPES: Readonly<Record<Door, (error: ApiError) => Reply>> = {
  versions: errorReply,
  data: errorReply,
  custom: errorReply,
  site: errorReply,
  setup: errorReply,
  token: oauthErrorReply,
  revoke: oauthErrorReply,
  introspect: oauthErrorReply,
  userinfo: errorReply,
  identity: errorReply,
  keys: errorReply,
  discovery: errorReply,
}

const notFound = () => new ApiError('NOT_FOUND', 'The requested resource does not exist')

/** What Fastify refuses by itself, in our words. */
function toTransportError(error: FastifyError, house: House): ApiError {
  switch (error.code) {
    case 'FST_ERR_BAD_URL':
      return notFound()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content type is not one that can be read')
  }
  if (error.statusCode !== undefined && error.statusCode < 500 && !(error instanceof ApiError)) {
    return new ApiError('JSON_PARSER_ERROR', error.message, { status: error.statusCode })
  }
  return toApiError(error, house)
}

/**
 * What the stages of a door make of a visit. A call that was stopped has failed as a whole, whatever the deployment's code has
 * made of that, unless operations of it are there for good and its reply tells which.
 */
async function goThrough(stages: readonly Stage[], visit: Visit): Promise<Reply | undefined> {
  const checkStopped = () => {
    if (visit.running?.isStopped) throw visit.running.over
  }
  try {
    for (const stage of stages) {
      const answer = stage(visit)
      // Most stages have nothing to wait for, and each wait costs a turn.
      const reply = answer instanceof Promise ? await answer : answer
      // The connection was cut.
      if (visit.response.sent) return undefined
      if (reply === undefined) continue
      if (reply.isPartial !== true) checkStopped()
      return reply
    }
    return undefined
  } catch (error) {
    checkStopped()
    throw error
  }
}

/** Doors of which the calls count. */
const COUNTED: readonly Door[] = ['data', 'custom', 'site']

/** A listener with some doors. Everything that answers in JSON does so for errors too. */
function makeListener(house: House, doors: Doors): FastifyInstance {
  const server = Fastify({
    genReqId: requestId,
    rewriteUrl: requestTarget,
    http: { maxHeaderSize: MOST_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS },
    // A body has as long as a call: without a bound, a client that never ends its body would keep the connection for ever.
    requestTimeout: Math.max(HEADERS_TIMEOUT_MS, house.config.callSeconds * 1000),
    routerOptions: {
      ignoreDuplicateSlashes: true,
      ignoreTrailingSlash: true,
      maxParamLength: MOST_HEADER_BYTES,
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseRawRequest,
    frameworkErrors: (error, request, response) => {
      void sendReply(makeVisit(house, request, response), errorReply(toTransportError(error, house)))
    },
  })
  server.decorateRequest('visit')
  replyWithId(server)
  tellRequests(server, house.observe)
  trackRequests(server)
  // A stage reads the body, when it is known who sends it and how large it may be.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  drainRequests(server)

  const refuseIn =
    (shape: (error: ApiError) => Reply) =>
    async (error: FastifyError, request: FastifyRequest, response: FastifyReply) => {
      await sendReply(makeVisit(house, request, response), shape(toTransportError(error, house)))
    }
  server.setErrorHandler(refuseIn(errorReply))
  server.setNotFoundHandler(async (request, response) => {
    await sendReply(makeVisit(house, request, response), errorReply(notFound()))
  })

  const routeDoor = (url: string, door: Door) => {
    const stages = stagesOf(door, house.faults !== undefined)
    const isNoted = house.journal !== undefined && COUNTED.includes(door)
    server.route({
      method: CROSS_ORIGIN.includes(door) ? [...METHODS, 'OPTIONS'] : METHODS,
      url,
      errorHandler: refuseIn(ERROR_SHAPES[door]),
      handler: async (request, response) => {
        const visit = makeVisit(house, request, response)
        visit.door = door
        if (!WITH_ROUTES.includes(door)) visit.route = url
        request.visit = visit
        const beganAt = isNoted ? house.clock().getTime() : 0
        let outcome: Outcome = {}
        try {
          await house.clocks.catchUp()
          const reply = await goThrough(stages, visit)
          outcome = { reply: response.sent ? undefined : reply }
          if (response.sent) return response
          if (reply !== undefined) {
            await sendReply(visit, reply)
            return response
          }
        } catch (thrown) {
          outcome = { thrown }
          throw thrown
        } finally {
          visit.running?.end()
          if (isNoted) noteCall(visit, outcome, beganAt)
        }
        response.header('Allow', 'GET, HEAD')
        throw new ApiError(
          'METHOD_NOT_ALLOWED',
          `HTTP Method '${request.method}' not allowed. Allowed are GET,HEAD`,
        )
      },
    })
  }

  for (const [url, door] of doors) routeDoor(url, door)
  return server
}

/** The HTTP server of the orgs. */
export function makeServer(house: House): FastifyInstance {
  const server = makeListener(house, DOORS)
  routePages(server, house, toTransportError)
  return server
}

/** The public site: custom resources that the guest may call, and nothing else of any org. */
export const makeSite = (house: House): FastifyInstance => makeListener(house, SITE_DOORS)
