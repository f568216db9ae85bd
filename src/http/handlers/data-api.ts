import { Readable } from 'node:stream'
import { UPLOAD_PATH } from '../../bulk/jobs/step-route.ts'
import type { ContextFactory } from '../../calls/context-factory.ts'
import { parseDataPath } from '../../calls/data-path.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Dispatch } from '../../calls/route.ts'
import { getDeprecation } from '../../calls/version-support.ts'
import type { Config } from '../../config/config.ts'
import type { OrgClocks } from '../../storage/orgs/org-clocks.ts'
import type { BodyRules } from '../body/receive-body.ts'
import { receiveBytes } from '../body/receive-bytes.ts'
import { receiveUpload, type UploadServices } from '../body/receive-upload.ts'
import type { FaultRoute, WithFaults } from '../middleware/fault-injection.ts'
import type { HttpContext, Identified, InOrg, Routed, Started, WithSchema } from '../pipeline/http-context.ts'
import type { Middleware, RequestHandler } from '../pipeline/pipeline.ts'
import { callBodies, makeCall, makeCallContext, takesBody } from './make-call.ts'

type VersionSettings = Pick<Config, 'versions' | 'retiredVersions' | 'retirements'>

/**
 * The version that the path names, and the resource behind it.
 * @throws ApiError GONE, NOT_FOUND
 */
export const parsePath =
  ({
    config,
    dispatch,
  }: {
    readonly config: VersionSettings
    readonly dispatch: Dispatch
  }): Middleware<HttpContext, Routed> =>
  ({ path, facts }) => {
    const target = parseDataPath(path, config)
    facts.route = dispatch.findPattern(target.path)
    return { target }
  }

/**
 * Checks the version by the clock of the org, and warns in its last year.
 * @throws ApiError GONE
 */
export const checkVersion =
  ({
    config,
    clocks,
  }: {
    readonly config: VersionSettings
    readonly clocks: OrgClocks
  }): Middleware<HttpContext & InOrg & Routed> =>
  ({ response, runtime, target }) => {
    const warning = getDeprecation(target.version, config, clocks.of(runtime.org.id)())
    if (warning !== undefined) response.header('Warning', warning)
    return undefined
  }

/** A record that comes in parts is stored while it comes. */
const isUpload = ({ request }: HttpContext) =>
  /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')

/** The rows of a bulk job are stored while they come. */
const isRows = ({ facts, method }: HttpContext) => facts.route === UPLOAD_PATH && method === 'PUT'

export const dataBodies = (config: Pick<Config, 'bodyLimit'>): BodyRules<HttpContext> => ({
  ...callBodies(config),
  isStreamed: (context) => isUpload(context) || isRows(context),
})

/** Fault plans know a path without a route by the path itself. */
export const describeDataRoute = ({ facts, target }: HttpContext & Routed): FaultRoute => ({
  route: facts.route ?? target.path,
  isDelivery: false,
})

interface DispatchServices extends UploadServices {
  readonly dispatch: Dispatch
  readonly contexts: ContextFactory
}

type DataContext = HttpContext & Identified & Routed & WithSchema & Started & WithFaults

export function dispatchCall(services: DispatchServices): RequestHandler<DataContext> {
  const { dispatch, contexts } = services
  const makeContext = (context: DataContext) => {
    const { running, faults } = context
    return makeCallContext(contexts, context, { running, faults: faults.ofCall })
  }
  const dispatchUpload = async (context: DataContext): Promise<Reply> => {
    const upload = await receiveUpload(services, context)
    try {
      return await dispatch(makeContext(context), await makeCall(context, upload))
    } finally {
      await upload.discard()
    }
  }
  const dispatchRows = async (context: DataContext): Promise<Reply> => {
    const bytes = receiveBytes(context)
    try {
      return await dispatch(makeContext(context), { ...(await makeCall(context)), bytes })
    } finally {
      // A refused call may leave its body unread.
      if (context.request.body instanceof Readable) context.request.body.resume()
    }
  }
  return async (context) => {
    if (isRows(context)) return dispatchRows(context)
    return isUpload(context) && takesBody(context.method)
      ? dispatchUpload(context)
      : dispatch(makeContext(context), await makeCall(context))
  }
}
