import { ApiError } from '../../base/api-error.ts'
import type { ContextFactory } from '../../calls/context-factory.ts'
import type { Dispatch } from '../../calls/route.ts'
import type { HttpContext, Identified, Routed, WithSchema } from '../pipeline/http-context.ts'
import type { Middleware, RequestHandler } from '../pipeline/pipeline.ts'
import { makeCall, makeCallContext } from './make-call.ts'

/** Prefix of the paths of the admin API. */
export const ADMIN_PREFIX = /^\/setup/

/**
 * Users of the admin API can grant themselves anything in the org, so it takes every permission that makes an administrator.
 * @throws ApiError INSUFFICIENT_ACCESS
 */
export const checkAdministrator: Middleware<Identified> = ({ caller: { access } }) => {
  if (!access.has('CustomizeApplication') || !access.has('ManageUsers')) {
    throw new ApiError('INSUFFICIENT_ACCESS', 'Only an administrator may set up an org')
  }
  return undefined
}

interface AdminServices {
  readonly dispatchAdmin: Dispatch
  readonly contexts: ContextFactory
}

export const dispatchAdminCall =
  ({
    dispatchAdmin,
    contexts,
  }: AdminServices): RequestHandler<HttpContext & Identified & Routed & WithSchema> =>
  async (context) =>
    dispatchAdmin(makeCallContext(contexts, context), await makeCall(context))
