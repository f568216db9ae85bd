import { isForPasswordChange } from '../../auth/users/expired-password.ts'
import { mayUseData } from '../../auth/users/principal.ts'
import { ApiError } from '../../base/api-error.ts'
import { findCharset, isReadAsUtf8 } from '../../base/charset.ts'
import type { Observe } from '../../base/observation.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { ContextFactory } from '../../calls/context-factory.ts'
import { toApiError } from '../../calls/dispatch.ts'
import type { Dispatch } from '../../calls/route.ts'
import type { Config } from '../../config/config.ts'
import type { LogInServices } from '../../soap/operations/log-in.ts'
import { checkSoapVersion, readAddress, type SoapAddress } from '../../soap/read-address.ts'
import type { SoapRequest } from '../../soap/read-request.ts'
import { findApi } from '../../soap/soap-api.ts'
import { faultReply, soapReply } from '../../soap/soap-reply.ts'
import type { OrgClocks } from '../../storage/orgs/org-clocks.ts'
import type { BodyRules } from '../body/receive-body.ts'
import { requireCaller } from '../middleware/authenticate.ts'
import type { FaultRoute, WithFaults } from '../middleware/fault-injection.ts'
import type { CallerServices } from '../middleware/find-caller.ts'
import type {
  Authenticated,
  HttpContext,
  Identified,
  InOrg,
  Routed,
  Started,
  WithSchema,
} from '../pipeline/http-context.ts'
import type { Middleware, RequestHandler, RunRequest } from '../pipeline/pipeline.ts'
import { findClientAddress } from '../request/client-address.ts'
import { findOrgOrigin, isReachedHere } from '../request/org-host.ts'
import { makeCallContext } from './make-call.ts'

/** A SOAP call, whose token is in its body. */
export interface WithSoap {
  readonly soap: SoapRequest
}

export interface WithSoapAddress {
  readonly address: SoapAddress
}

export type SoapContext = HttpContext & WithSoap & WithSoapAddress & Routed

/** In bytes. Of the calls for records that are carried out none needs a tenth of it. */
const MAX_BODY_BYTES = 64 * 1024

/** Clients of SOAP 1.1 send the first one. */
const XML_TYPE = /^(?:text|application)\/xml\s*(?:;|$)/i

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE */
function checkType({ request }: HttpContext): void {
  const type = request.headers['content-type']
  if (type === undefined) return
  if (XML_TYPE.test(type) && isReadAsUtf8(findCharset(type))) return
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Content type ${type.slice(0, 255)} is not supported. Send text/xml in UTF-8.`,
  )
}

export const soapBodies = (
  services: CallerServices & { readonly config: Pick<Config, 'bodyLimit'> },
): BodyRules<HttpContext> => ({
  // Archives are in the bodies of calls of the API for metadata.
  maxBytes: ({ path }) =>
    findApi(path).letter === 'm'
      ? services.config.bodyLimit
      : Math.min(MAX_BODY_BYTES, services.config.bodyLimit),
  mayBeJson: false,
  checkType,
  // A log-in is short: whatever is longer is a call, whose header has the token.
  async checkStart(context, start) {
    const { findSession } = await import('../../soap/find-session.ts')
    await requireSession(services, context, findSession(start))
  },
})

type VersionSettings = Pick<Config, 'versions' | 'retiredVersions' | 'retirements'>

/** @throws ApiError UNSUPPORTED_API_VERSION, FUNCTIONALITY_NOT_ENABLED */
export const readSoapAddress =
  ({ config }: { readonly config: VersionSettings }): Middleware<HttpContext, WithSoapAddress> =>
  ({ path, facts }) => {
    facts.route = '/services/Soap/*'
    return { address: readAddress(path, config) }
  }

/**
 * Parses the envelope. What does so is loaded with the first call.
 * @throws ApiError XML_PARSER_ERROR, UNSUPPORTED_MEDIA_TYPE
 */
export const readSoapRequest: Middleware<HttpContext & WithSoapAddress, WithSoap & Routed> = async ({
  path,
  bytes,
  facts,
  address,
}) => {
  const { readRequest } = await import('../../soap/read-request.ts')
  const soap = await readRequest(findApi(path), bytes)
  const route = `/services/Soap/${soap.api.letter}/${soap.operation.name}`
  facts.route = route
  return { soap, target: { version: address.version, path: route } }
}

/** Refuses a version that has ended by the clock of the org, in words that clients of SOAP know. */
export const checkSoapVersionInOrg =
  ({
    config,
    clocks,
  }: {
    readonly config: VersionSettings
    readonly clocks: OrgClocks
  }): Middleware<HttpContext & InOrg & Routed> =>
  ({ runtime, target: { version } }) => {
    checkSoapVersion(version.major, config, clocks.of(runtime.org.id)())
    return undefined
  }

const illegalSession = () =>
  new ApiError('INVALID_SESSION_ID', 'Invalid Session ID found in SessionHeader: Illegal Session')

/** @throws ApiError INVALID_SESSION_ID */
function requireSession(
  services: CallerServices,
  context: HttpContext,
  sessionId: string | undefined,
): Promise<Authenticated> {
  if (sessionId === undefined || sessionId === '') throw illegalSession()
  return requireCaller(services, context, sessionId)
}

/** Finds whose token the header of the envelope has. */
export const authenticateSoap =
  (services: CallerServices): Middleware<SoapContext, Authenticated> =>
  async (context) => {
    const { soap, address } = context
    const authenticated = await requireSession(services, context, soap.sessionId)
    if (address.orgId !== undefined && address.orgId !== authenticated.session.org.id) throw illegalSession()
    return authenticated
  }

/**
 * Refuses tokens for something else than data, except where a password has to be changed, and users who may not use the API.
 * @throws ApiError INSUFFICIENT_ACCESS, API_DISABLED_FOR_ORG
 */
export const checkSoapAccess: Middleware<Authenticated> = ({ session: { scopes }, caller: { access } }) => {
  if (!mayUseData(scopes) && !isForPasswordChange(scopes)) {
    throw new ApiError('INSUFFICIENT_ACCESS', 'The token has no scope for data: api')
  }
  if (access.has('ApiEnabled')) return undefined
  throw new ApiError('API_DISABLED_FOR_ORG', 'API is not enabled for this Organization or Partner')
}

/**
 * The org of a log-in: the one that the address or the header names, else that of the host.
 * @throws ApiError INVALID_LOGIN
 */
export const findLogInOrg =
  ({ hosts, runtimes }: Pick<CallerServices, 'hosts' | 'runtimes'>): Middleware<SoapContext, InOrg> =>
  async ({ request, soap, address }) => {
    const named = address.orgId ?? soap.scopeOrgId
    const org = await (named === undefined
      ? hosts.orgAt(request.hostname)
      : hosts.find(canonicalRecordId(named) ?? ''))
    if (org === undefined || !(await isReachedHere({ hosts }, request, org))) {
      throw new ApiError('INVALID_LOGIN', 'Invalid username, password, security token; or user locked out.')
    }
    return { runtime: runtimes.of(org) }
  }

const isLogIn = ({ soap }: WithSoap) => soap.operation.name === 'login'

export const describeSoapRoute = ({ target, soap }: SoapContext): FaultRoute => ({
  route: target.path,
  isDelivery: false,
  token: soap.sessionId,
  ...(isLogIn({ soap }) && {
    username: soap.operation.children.find(({ name }) => name === 'username')?.text ?? '',
  }),
})

/** Logs in. The call log has the user of a log-in that succeeded. */
export const logInBySoap =
  (
    services: LogInServices & Pick<CallerServices, 'hosts'> & { readonly config: Config },
  ): RequestHandler<SoapContext & InOrg> =>
  async (context) => {
    const { request, runtime, soap, target, origin } = context
    const { org, callers } = runtime
    const { logIn } = await import('../../soap/operations/log-in.ts')
    const { session, caller, result } = await logIn(services, soap, {
      ...{ org, callers },
      version: target.version,
      origin: await findOrgOrigin(services, origin, org),
      address: findClientAddress(services.config, request),
    })
    Object.assign(context, { session, caller } satisfies Pick<Identified, 'session' | 'caller'>)
    return soapReply(soap.api, 'login', result)
  }

interface SoapServices extends CallerServices {
  readonly reserved: LogInServices['reserved']
  readonly clocks: OrgClocks
  readonly config: Config
  readonly contexts: ContextFactory
  readonly dispatch: Dispatch
}

/** Carries out a call of a session; what it shares with REST is a call of the data API. */
export const callSoap =
  (services: SoapServices): RequestHandler<SoapContext & Authenticated & WithSchema & Started & WithFaults> =>
  async (context) => {
    const { soap, session, caller, running, faults } = context
    const token = soap.sessionId!
    const { name } = soap.operation
    const makeContext = () => makeCallContext(services.contexts, context, { running, faults: faults.ofCall })
    const { callOperation } = await import('../../soap/operations/call-operation.ts')
    const result = await callOperation(services, {
      request: soap,
      ...{ session, caller, token },
      clock: services.clocks.of(session.org.id),
      context: makeContext,
      send(method, path, body, namesToken) {
        const ctx = makeContext()
        const headers = namesToken ? { authorization: `Bearer ${token}` } : {}
        const locate = () => ({ line: 1, column: 1 })
        return services.dispatch(ctx, { method, path, query: new URLSearchParams(), headers, body, locate })
      },
    })
    return soapReply(soap.api, name, result)
  }

/** Log-ins have no caller yet, so that they go through other middleware than calls. */
export const separateLogIns =
  (logIns: RunRequest, calls: RunRequest): RequestHandler<HttpContext & WithSoap> =>
  async (context) => {
    const reply = await (isLogIn(context) ? logIns : calls)(context)
    // Undefined where the connection was cut: then nothing is sent.
    return reply ?? { status: 500 }
  }

/** Answers with a fault whatever is refused, and whatever fails. */
export const answerInSoap =
  (services: { readonly observe: Observe }, run: RunRequest): RunRequest =>
  async (context) => {
    try {
      return await run(context)
    } catch (thrown) {
      const error = toApiError(thrown, services)
      context.response.removeHeader('WWW-Authenticate')
      return faultReply(error.code === 'INVALID_SESSION_ID' ? illegalSession() : error, findApi(context.path))
    }
  }
