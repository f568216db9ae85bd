import type { FastifyRequest } from 'fastify'
import { bearerToken } from '../../auth/oauth/token-text.ts'
import { mayUseData } from '../../auth/users/principal.ts'
import { ApiError, notFound } from '../../base/api-error.ts'
import type { Authenticated, HttpContext, Identified, InOrg } from '../pipeline/http-context.ts'
import type { Middleware } from '../pipeline/pipeline.ts'
import { isReachedHere } from '../request/org-host.ts'
import { type CallerServices, findCaller } from './find-caller.ts'

/** Whose token it is; undefined: it is not valid, or its org is not reached at the host of the request. */
export async function findCallerHere(
  services: CallerServices,
  request: FastifyRequest,
  token: string,
): Promise<Authenticated | undefined> {
  const authenticated = await findCaller(services, request, token)
  if (authenticated === undefined) return undefined
  return (await isReachedHere(services, request, authenticated.session.org)) ? authenticated : undefined
}

const sessionExpired = () => new ApiError('INVALID_SESSION_ID', 'Session expired or invalid')

/** @throws ApiError INVALID_SESSION_ID */
export async function requireCaller(
  services: CallerServices,
  { request, response }: HttpContext,
  token: string,
): Promise<Authenticated> {
  const authenticated = await findCallerHere(services, request, token)
  if (authenticated !== undefined) return authenticated
  response.header('WWW-Authenticate', 'Token')
  throw sessionExpired()
}

/**
 * Finds whose token it is, and so which org.
 * @throws ApiError INVALID_SESSION_ID, INVALID_AUTH_HEADER
 */
export const authenticate =
  (services: CallerServices): Middleware<HttpContext, Authenticated> =>
  async (context) => {
    const { request, response } = context
    const unauthorized = (error: ApiError) => {
      response.header('WWW-Authenticate', 'Token')
      return error
    }
    const header = request.headers.authorization
    if (header === undefined) throw unauthorized(sessionExpired())
    const token = bearerToken(header)
    if (token === undefined) throw unauthorized(new ApiError('INVALID_AUTH_HEADER', 'INVALID_HEADER_TYPE'))
    return requireCaller(services, context, token)
  }

/** Refuses a token for something else than data, and one of a user who may not use the API. */
export const checkDataAccess: Middleware<Authenticated> = ({ session, caller }) => {
  if (!mayUseData(session.scopes)) {
    throw new ApiError('INSUFFICIENT_ACCESS', 'The token has no scope for data: api')
  }
  if (!caller.access.has('ApiEnabled')) {
    throw new ApiError('API_DISABLED_FOR_ORG', 'The REST API is not enabled for this Organization.')
  }
  return undefined
}

/** Finds the org whose public site is reached at the host of the request. */
export const findSiteOrg =
  ({ hosts, runtimes }: Pick<CallerServices, 'hosts' | 'runtimes'>): Middleware<HttpContext, InOrg> =>
  async ({ request }) => {
    const org = await hosts.orgAt(request.hostname)
    if (org === undefined) throw notFound()
    return { runtime: runtimes.of(org) }
  }

/** Callers of the public site are its guest, whatever token they bring. (docs/reference/api/custom-resources.md#public-site) */
export const identifyGuest: Middleware<InOrg, Identified> = async ({ runtime }) => {
  const caller = await runtime.callers.guest()
  if (caller === undefined) throw new ApiError('FORBIDDEN', 'The site has no guest user')
  return { runtime, caller, session: undefined }
}
