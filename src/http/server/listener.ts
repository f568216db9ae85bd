import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify'
import { ApiError, notFound } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import type { Observe } from '../../base/observation.ts'
import { toApiError } from '../../calls/dispatch.ts'
import { errorReply, type Reply } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import type { Recipient } from '../../quota/running-calls.ts'
import type { OrgClocks } from '../../storage/orgs/org-clocks.ts'
import { headersTooLarge } from '../middleware/check-request.ts'
import { type AddressSettings, makeFacts, makeHttpContext } from '../pipeline/http-context.ts'
import type { RunRequest } from '../pipeline/pipeline.ts'
import { STATUS_TEXTS } from '../pipeline/status-texts.ts'
import { replyWithId, requestId } from '../request/request-id.ts'
import { trackRequests } from './current-request.ts'
import { drainRequests } from './drain-requests.ts'
import type { JournalCall, Outcome } from './journal-calls.ts'
import { hidePath } from './kept-bodies.ts'
import type { LogCall } from './log-calls.ts'
import { reportRequests } from './report-requests.ts'
import { sendReply } from './send-reply.ts'

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is

/**
 * The path and query that a request is for. A client may write the whole address, as it would to a proxy; then it is the
 * address that names the host, whatever the header says. (RFC 9112, 3.2.2)
 */
function requestTarget({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const target = url ?? '/'
  const [, host, rest] = ABSOLUTE.exec(target) ?? []
  if (host === undefined || rest === undefined) return target
  // Credentials in the address are ignored.
  headers.host = host.slice(host.lastIndexOf('@') + 1)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** The socket counts bytes as written that wait for the client to take them. */
const makeRecipient = (socket: Socket): Recipient => ({
  get taken() {
    return socket.bytesWritten - socket.writableLength
  },
  get isBehind() {
    return socket.writableLength > 0
  },
  cut: () => socket.destroy(),
})

/** An address of a listener, or a tree of them, and what requests to it go through. */
export interface Endpoint {
  readonly url: string
  /** Its group, as metrics name it. */
  readonly name: string
  readonly run: RunRequest
  /** How errors are written; default the array of the data API. */
  readonly formatError?: (error: ApiError) => Reply
  /** Pages of other origins may call it, so browsers send preflights. */
  readonly isCrossOrigin?: boolean
  /** Requests to it are calls of many resources: its middleware finds the route, and the journal has them. */
  readonly takesCalls?: boolean
}

export interface ListenerServices {
  readonly config: AddressSettings & Pick<Config, 'callSeconds'>
  readonly clock: Clock
  readonly clocks: OrgClocks
  readonly observe: Observe
  /** Undefined if no journal is kept. */
  readonly journalCall: JournalCall | undefined
  readonly logCall: LogCall
}

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Node refuses longer addresses and headers itself. */
const MAX_HEADER_BYTES = 256 * 1024

/** How long the headers of a request may take to arrive, in milliseconds. */
const HEADERS_TIMEOUT_MS = 60_000

/** Why a request is refused before anything looks at it: a page as the platform sends it, whatever the client takes. */
const PAGE_REASONS: Partial<Record<ErrorCode, string>> = {
  URI_TOO_LONG: 'URI Too Long',
  REQUEST_HEADERS_TOO_LARGE: 'Request Header Fields Too Large',
}

/** @returns undefined for errors that have the format of their endpoint */
function makePageReply(error: ApiError): Reply | undefined {
  const reason = PAGE_REASONS[error.code]
  if (reason === undefined) return undefined
  return {
    status: error.status,
    body: `<h1>Bad Message ${error.status}</h1><pre>reason: ${reason}</pre>`,
    headers: { 'Content-Type': 'text/html;charset=iso-8859-1' },
    error,
  }
}

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

function makeRawRefusal({ code }: NodeJS.ErrnoException): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge()
    case REQUEST_TIMEOUT:
      return new ApiError('JSON_PARSER_ERROR', 'The request took too long to arrive.', { status: 408 })
    default:
      return new ApiError('JSON_PARSER_ERROR', 'The request is not HTTP.')
  }
}

/** Replies to what Node refuses before it is a request, and closes the connection. */
function refuseRawRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const refusal = makeRawRefusal(error)
  const page = makePageReply(refusal)
  const body = String(page?.body ?? JSON.stringify(refusal.items))
  const type = page?.headers?.['Content-Type'] ?? 'application/json;charset=UTF-8'
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_TEXTS[refusal.status]}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  // The client may never close its side.
  if (error.code === REQUEST_TIMEOUT) socket.destroySoon()
}

/** Node takes the first one; a proxy in front may have taken another one, and have let in whom it would have kept out. */
function refuseSeveralHosts(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _response, done) => {
    const { rawHeaders } = request.raw
    let hosts = 0
    for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at]!)) hosts++
    if (hosts <= 1) return done()
    done(new ApiError('JSON_PARSER_ERROR', 'The request has several Host headers.'))
  })
}

/** Returns the error that a client sees, for refusals of Fastify too. */
export function toTransportError(error: FastifyError, services: { readonly observe: Observe }): ApiError {
  switch (error.code) {
    case 'FST_ERR_BAD_URL':
      return notFound()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content type is not one that can be read')
  }
  if (error.statusCode !== undefined && error.statusCode < 500 && !(error instanceof ApiError)) {
    return new ApiError('JSON_PARSER_ERROR', error.message, { status: error.statusCode })
  }
  return toApiError(error, services)
}

/** The client has left before its answer, which is a stream, was sent: there is nothing to report, and nobody to tell. */
const hasLeft = ({ code }: FastifyError, { raw }: FastifyReply) =>
  code === 'ERR_STREAM_PREMATURE_CLOSE' && (raw.destroyed || raw.socket?.destroyed !== false)

function routeEndpoint(server: FastifyInstance, services: ListenerServices, endpoint: Endpoint): void {
  const { config, clock, clocks, observe } = services
  const { url, name, run, formatError = errorReply, isCrossOrigin = false, takesCalls = false } = endpoint
  const journalCall = takesCalls ? services.journalCall : undefined
  server.route({
    method: isCrossOrigin ? [...METHODS, 'OPTIONS'] : METHODS,
    url,
    async errorHandler(error: FastifyError, request: FastifyRequest, response: FastifyReply) {
      if (hasLeft(error, response)) return response.hijack()
      const refusal = toTransportError(error, { observe })
      await sendReply(request, response, makePageReply(refusal) ?? formatError(refusal))
    },
    async handler(request, response) {
      const facts = makeFacts(name, takesCalls ? undefined : url)
      request.facts = facts
      const context = makeHttpContext(config, request, response, facts)
      const startedAt = performance.now()
      const beganAt = journalCall === undefined ? 0 : clock().getTime()
      let outcome: Outcome = {}
      try {
        // Most requests find the clocks up to date.
        const catchingUp = clocks.catchUp()
        if (catchingUp !== undefined) await catchingUp
        const reply = await run(context).finally(() => {
          facts.shownPath = hidePath(context)
        })
        outcome = { reply }
        facts.running?.answered(makeRecipient(request.raw.socket))
        if (reply !== undefined) await sendReply(request, response, reply)
        return response
      } catch (thrown) {
        outcome = { thrown }
        throw thrown
      } finally {
        facts.running?.end()
        facts.bodyMemory?.release()
        journalCall?.(context, outcome, beganAt)
        if (takesCalls || name === 'admin') services.logCall(context, outcome, startedAt)
      }
    },
  })
}

/** A listener for some endpoints. All of its replies are JSON, those to errors too, where an endpoint has no other format. */
export function makeListener(services: ListenerServices, endpoints: readonly Endpoint[]): FastifyInstance {
  const { config, observe } = services
  const server = Fastify({
    genReqId: requestId,
    rewriteUrl: requestTarget,
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS },
    // A body has as long as a call: without a bound, a client that never ends its body would keep the connection for ever.
    requestTimeout: Math.max(HEADERS_TIMEOUT_MS, config.callSeconds * 1000),
    routerOptions: {
      ignoreDuplicateSlashes: true,
      ignoreTrailingSlash: true,
      maxParamLength: MAX_HEADER_BYTES,
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseRawRequest,
    frameworkErrors: (error, request, response) => {
      void sendReply(request, response, errorReply(toTransportError(error, services)))
    },
  })
  server.decorateRequest('facts')
  refuseSeveralHosts(server)
  replyWithId(server)
  reportRequests(server, observe)
  trackRequests(server)
  // A middleware reads the body, when it is known who sends it and how large it may be.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  drainRequests(server)
  server.setErrorHandler(async (error: FastifyError, request, response) => {
    await sendReply(request, response, errorReply(toTransportError(error, services)))
  })
  server.setNotFoundHandler(async (request, response) => {
    await sendReply(request, response, errorReply(notFound()))
  })
  for (const endpoint of endpoints) routeEndpoint(server, services, endpoint)
  return server
}
