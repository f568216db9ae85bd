import { Readable } from 'node:stream'
import { bearerToken } from '../../auth/oauth/token-text.ts'
import { ApiError } from '../../base/api-error.ts'
import { makeApiVersion } from '../../base/api-version.ts'
import type { Observe } from '../../base/observation.ts'
import { errorReply, wantsJson } from '../../bulk/classic/answer-format.ts'
import type { ContextFactory } from '../../calls/context-factory.ts'
import { toApiError } from '../../calls/dispatch.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Dispatch } from '../../calls/route.ts'
import { getSupport, goneVersion } from '../../calls/version-support.ts'
import type { Config } from '../../config/config.ts'
import type { BodyRules } from '../body/receive-body.ts'
import { requireCaller } from '../middleware/authenticate.ts'
import type { FaultRoute, WithFaults } from '../middleware/fault-injection.ts'
import type { CallerServices } from '../middleware/find-caller.ts'
import type {
  Authenticated,
  HttpContext,
  Identified,
  Routed,
  Started,
  WithSchema,
} from '../pipeline/http-context.ts'
import type { Middleware, RequestHandler, RunRequest } from '../pipeline/pipeline.ts'
import { makeCallContext, takesBody } from './make-call.ts'

/** In bytes: of a batch, and of a job. */
const MAX_BATCH_BYTES = 10 * 1024 * 1024
const MAX_JOB_BYTES = 64 * 1024

const ADDRESS = /^\/services\/async\/v?([1-9]\d{0,2})(?:\.0)?(?=\/|$)/i

const isOfBatch = (path: string) => /\/batch(?:\/|$)/i.test(path)

interface AddressServices {
  readonly config: Pick<Config, 'versions' | 'retiredVersions' | 'retirements'>
  readonly dispatchClassic: Dispatch
}

/**
 * The version that the path names, and the resource behind it.
 * @throws ApiError GONE, UNSUPPORTED_API_VERSION
 */
export const readClassicPath =
  ({ config, dispatchClassic }: AddressServices): Middleware<HttpContext, Routed> =>
  ({ path, facts }) => {
    const match = ADDRESS.exec(path)
    const major = Number(match?.[1])
    if (getSupport(major, config, undefined) === 'retired') throw goneVersion(major)
    if (match === null || !config.versions.includes(major)) {
      throw new ApiError('UNSUPPORTED_API_VERSION', 'The address names no version that is served')
    }
    const target = `/services/async${path.slice(match[0].length)}`
    facts.route = dispatchClassic.findPattern(target)
    return { target: { version: makeApiVersion(major), path: target } }
  }

export const classicBodies = ({ bodyLimit }: Pick<Config, 'bodyLimit'>): BodyRules<HttpContext> => ({
  maxBytes: ({ path }) => Math.min(isOfBatch(path) ? MAX_BATCH_BYTES : MAX_JOB_BYTES, bodyLimit),
  mayBeJson: true,
  checkType({ request }) {
    if (request.headers['content-type'] !== undefined) return
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The request does not say its Content-Type')
  },
})

const findToken = ({ request }: HttpContext): string | undefined => {
  const session = request.headers['x-sfdc-session']
  return typeof session === 'string' && session !== '' ? session : bearerToken(request.headers.authorization)
}

/** Finds whose token it is, in the header of version 1 or the usual one. */
export const authenticateClassic =
  (services: CallerServices): Middleware<HttpContext, Authenticated> =>
  (context) =>
    requireCaller(services, context, findToken(context) ?? '')

export const describeClassicRoute = (context: HttpContext & Routed): FaultRoute => ({
  route: context.facts.route ?? context.target.path,
  isDelivery: false,
  token: findToken(context),
})

type ClassicContext = HttpContext & Identified & Routed & WithSchema & Started & WithFaults

/** Carries out a call, whose body is not read before it is known what it is. */
export const callClassic =
  (services: {
    readonly dispatchClassic: Dispatch
    readonly contexts: ContextFactory
  }): RequestHandler<ClassicContext> =>
  (context) => {
    const { method, target, query, request, bytes, running, faults } = context
    const ctx = makeCallContext(services.contexts, context, { running, faults: faults.ofCall })
    const headers = request.headers as Readonly<Record<string, string | undefined>>
    const sent = takesBody(method) && bytes.length > 0 ? [bytes] : []
    return services.dispatchClassic(ctx, {
      ...{ method, path: target.path, query, headers },
      body: undefined,
      bytes: Readable.from(sent),
      locate: () => ({ line: 1, column: 1 }),
    })
  }

/** An error in the form of version 1, for a request of which little is known. */
export const classicErrorReply = (error: ApiError): Reply => errorReply(error, false, false)

/** Answers in the form of version 1 whatever is refused, and whatever fails. */
export const answerAsClassic =
  (services: { readonly observe: Observe }, run: RunRequest): RunRequest =>
  async (context) => {
    const format = (error: ApiError) =>
      errorReply(error, wantsJson(context.request.headers as Record<string, string>), isOfBatch(context.path))
    try {
      const reply = await run(context)
      return reply?.error === undefined ? reply : format(reply.error)
    } catch (thrown) {
      context.response.removeHeader('WWW-Authenticate')
      return format(toApiError(thrown, services))
    }
  }
