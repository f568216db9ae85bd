import type { FastifyInstance } from 'fastify'
import type { Attempts } from '../auth/attempts/attempts.ts'
import type { SecretBox } from '../auth/keys/secret-box.ts'
import type { Sessions } from '../auth/tokens/sessions.ts'
import type { Clock } from '../base/clock.ts'
import type { Observe } from '../base/observation.ts'
import type { CallLog } from '../calllog/call-log.ts'
import type { ContextFactory } from '../calls/context-factory.ts'
import type { OrgRuntimes } from '../calls/org-runtimes.ts'
import type { Dispatch } from '../calls/route.ts'
import type { Config } from '../config/config.ts'
import type { DeployedCode } from '../customrest/deployed-code.ts'
import type { DeliveryLog } from '../customrest/webhooks/delivery-log.ts'
import type { FaultStore } from '../faults/fault-store.ts'
import type { FollowerFaults } from '../faults/follower-faults.ts'
import type { Journal } from '../faults/journal/journal.ts'
import type { QuotaStore } from '../quota/quota-store.ts'
import type { RateCounter } from '../quota/rate-counter.ts'
import type { RunningCalls } from '../quota/running-calls.ts'
import { SharedBytes } from '../quota/shared-bytes.ts'
import { findApi } from '../soap/soap-api.ts'
import { faultReply } from '../soap/soap-reply.ts'
import type { Db } from '../storage/database/db.ts'
import type { OrgClocks } from '../storage/orgs/org-clocks.ts'
import type { OrgHosts } from '../storage/orgs/org-hosts.ts'
import type { CometD } from '../streaming/cometd/cometd.ts'
import type { EventFeed } from '../streaming/event-feed.ts'
import { LargeBodies } from './body/large-bodies.ts'
import { formBodies, receiveBody, unpackBody } from './body/receive-body.ts'
import { routeConsole } from './console/route-console.ts'
import { routeDocs } from './console/route-docs.ts'
import { ADMIN_PREFIX, checkAdministrator, dispatchAdminCall } from './handlers/admin-api.ts'
import {
  answerAsClassic,
  authenticateClassic,
  callClassic,
  classicBodies,
  classicErrorReply,
  describeClassicRoute,
  readClassicPath,
} from './handlers/classic-bulk.ts'
import { answerMessages, messageBodies, parseStreamPath } from './handlers/cometd.ts'
import {
  CUSTOM_PREFIX,
  callResource,
  checkResourceAccess,
  checkVerb,
  describeResourceRoute,
  findResource,
  resourceBodies,
  type WithResource,
} from './handlers/custom-rest.ts'
import { checkVersion, dataBodies, describeDataRoute, dispatchCall, parsePath } from './handlers/data-api.ts'
import { describeProvider, listSigningKeys } from './handlers/discovery.ts'
import { streamEvents } from './handlers/event-stream.ts'
import { describeIdentity } from './handlers/identity.ts'
import { introspectToken } from './handlers/introspection.ts'
import { callBodies } from './handlers/make-call.ts'
import { oauthErrorReply } from './handlers/oauth-reply.ts'
import { revokeByRequest } from './handlers/revocation.ts'
import { openSingleAccess } from './handlers/single-access.ts'
import {
  answerInSoap,
  authenticateSoap,
  callSoap,
  checkSoapAccess,
  checkSoapVersionInOrg,
  describeSoapRoute,
  findLogInOrg,
  logInBySoap,
  readSoapAddress,
  readSoapRequest,
  type SoapContext,
  separateLogIns,
  soapBodies,
} from './handlers/soap.ts'
import { issueToken } from './handlers/token.ts'
import { describeUser } from './handlers/userinfo.ts'
import { listVersions } from './handlers/version-list.ts'
import {
  authenticate,
  checkDataAccess,
  findSiteOrg,
  identifyGuest,
  requireCaller,
} from './middleware/authenticate.ts'
import { beginCall } from './middleware/begin-call.ts'
import { checkAccept } from './middleware/check-accept.ts'
import { allowMethods, checkHead, overrideMethod } from './middleware/check-request.ts'
import { countCall } from './middleware/count-call.ts'
import { allowOrigin, allowOriginInOrg } from './middleware/cross-origin.ts'
import { type FaultInjection, injectFaults, NO_FAULT_INJECTION } from './middleware/fault-injection.ts'
import { limitRate } from './middleware/limit-rate.ts'
import { loadSchema } from './middleware/load-schema.ts'
import { useNewestVersion } from './middleware/newest-version.ts'
import { injectTokenFaults } from './middleware/token-faults.ts'
import { makeAuthorizePage } from './pages/authorize.ts'
import { makePasswordChangePage } from './pages/change-password.ts'
import { makeDevicePage } from './pages/connect-device.ts'
import { makeLogInPage } from './pages/login.ts'
import { makeLogOutPage } from './pages/logout.ts'
import { injectPageFaults } from './pages/page-faults.ts'
import { routePages } from './pages/page-routes.ts'
import { makeSingleAccessPage } from './pages/single-access.ts'
import type { HttpContext, Identified, Routed, WithSchema } from './pipeline/http-context.ts'
import { Pipeline, pipeline, type RunRequest } from './pipeline/pipeline.ts'
import { journalCalls } from './server/journal-calls.ts'
import { type Endpoint, type ListenerServices, makeListener, toTransportError } from './server/listener.ts'
import { logCalls } from './server/log-calls.ts'

/** Services of all endpoint groups. Only this file has them all: it hands each group its part. */
export interface HttpServices {
  readonly config: Config
  /** For what is done by no call. */
  readonly db: Db
  /** For what must not wait behind calls: tokens, and what every call needs to know before it begins. */
  readonly reserved: Db
  readonly clock: Clock
  readonly clocks: OrgClocks
  readonly observe: Observe
  readonly sessions: Sessions
  readonly runtimes: OrgRuntimes
  readonly hosts: OrgHosts
  /** Opens the secrets in the database. */
  readonly secrets: SecretBox
  /** How often a password, code or secret was wrong, counted over all servers. */
  readonly attempts: Attempts
  readonly contexts: ContextFactory
  readonly dispatch: Dispatch
  readonly dispatchAdmin: Dispatch
  /** Of the first version of bulk jobs. */
  readonly dispatchClassic: Dispatch
  /** Counts the calls of each org. */
  readonly quotaStore: QuotaStore
  /** How many calls each caller makes in a second, counted by this process. */
  readonly callRates: RateCounter
  /** Calls that this process is carrying out. */
  readonly running: RunningCalls
  /** The code of the deployment, as it is by now. */
  readonly code: { readonly current: DeployedCode | undefined }
  readonly deliveries: DeliveryLog
  /** How many deliveries receivers accept in a second, counted by this process. */
  readonly deliveryRates: RateCounter
  /** Undefined if the settings allow no faults. */
  readonly faults: FaultStore | undefined
  /** The faults of those who follow events; undefined as well then. */
  readonly followerFaults: FollowerFaults | undefined
  /** Events for those who follow them. */
  readonly feed: EventFeed
  /** The latest calls of each org. */
  readonly callLog: CallLog
  /** Calls for the report of a test run; undefined: none is kept. */
  readonly journal: Journal | undefined
  /** Clients that follow events by CometD. */
  readonly cometd: CometD
}

/** The endpoint groups. */
type EndpointName =
  | 'versions'
  | 'data'
  | 'eventStream'
  | 'custom'
  | 'site'
  | 'admin'
  | 'token'
  | 'revoke'
  | 'introspect'
  | 'userinfo'
  | 'singleAccess'
  | 'identity'
  | 'keys'
  | 'discovery'
  | 'classicBulk'
  | 'soap'
  | 'cometd'

type Urls = readonly (readonly [url: string, name: EndpointName])[]

/** Where custom resources are, also under the name that stock clients use. (docs/reference/api/custom-resources.md#addresses) */
const CUSTOM_URLS = ['customrest', 'apexrest'].flatMap((name) => [`/services/${name}`, `/services/${name}/*`])

/** Every endpoint of the orgs' listener; the pages have their own. */
export const SERVER_URLS: Urls = [
  ['/services/data', 'versions'],
  ['/services/data/:version/event-stream', 'eventStream'],
  ['/services/data/*', 'data'],
  ...CUSTOM_URLS.map((url) => [url, 'custom'] as const),
  ['/setup/*', 'admin'],
  ['/services/oauth2/token', 'token'],
  ['/services/oauth2/revoke', 'revoke'],
  ['/services/oauth2/introspect', 'introspect'],
  ['/services/oauth2/userinfo', 'userinfo'],
  ['/services/oauth2/singleaccess', 'singleAccess'],
  ['/id/:org/:user', 'identity'],
  ['/id/keys', 'keys'],
  ['/.well-known/openid-configuration', 'discovery'],
  ['/.well-known/oauth-authorization-server', 'discovery'],
  ['/services/async/*', 'classicBulk'],
  ['/services/Soap/*', 'soap'],
  ['/cometd', 'cometd'],
  ['/cometd/*', 'cometd'],
]

/** All that the public site has. (docs/reference/api/custom-resources.md#public-site) */
const SITE_URLS: Urls = CUSTOM_URLS.map((url) => [url, 'site'] as const)

function makeFaultInjection(services: HttpServices): FaultInjection {
  const { faults } = services
  if (faults === undefined) return NO_FAULT_INJECTION
  return injectFaults({
    ...services,
    faults,
    checkToken: (context, token) => requireCaller(services, context, token),
  })
}

/** The pipeline of each endpoint group, in the order of its steps. */
function makePipelines(services: HttpServices): Readonly<Record<EndpointName, RunRequest>> {
  const { config } = services
  const faults = makeFaultInjection(services)
  const largeBodies = new LargeBodies()
  const received = new SharedBytes(config.bodyLimit)
  const [forms, calls, data, resources, messages, soapCalls, classic] = [
    formBodies(config),
    callBodies(config),
    dataBodies(config),
    resourceBodies(config),
    messageBodies(config),
    soapBodies(services),
    classicBodies(config),
  ]

  /** For programs and for pages of this server. */
  const plain = () => pipeline().use(checkHead(services))

  /** For pages of other origins too. */
  const crossOrigin = () => pipeline().use(allowOrigin(services)).use(checkHead(services))

  const form = () => plain().use(receiveBody(forms, received)).use(unpackBody(forms, received))

  /** The custom resource that the path names, for a caller who may call it. */
  const selectResource = <Context extends HttpContext & Identified & Routed>(calls: Pipeline<Context>) =>
    calls.use(allowOriginInOrg(services)).use(loadSchema).use(findResource(services)).use(checkResourceAccess)

  const runResource = <Context extends HttpContext & Identified & Routed & WithSchema & WithResource>(
    calls: Pipeline<Context>,
  ) =>
    calls
      .use(faults.match(describeResourceRoute))
      .use(countCall(services))
      .use(beginCall(services))
      .use(checkVerb)
      .use(receiveBody(resources, received))
      .use(faults.apply)
      .use(unpackBody(resources, received))
      .handle(largeBodies.takeTurns(faults.cutAfterwards(callResource(services))))

  // A log-in counts nowhere: whoever has no password must not use up the calls of those who have one.
  const soapLogIn = new Pipeline<SoapContext>([])
    .use(findLogInOrg(services))
    .use(checkSoapVersionInOrg(services))
    .use(checkVersion(services))
    .use(faults.match(describeSoapRoute))
    .use(beginCall(services))
    .use(faults.apply)
    .handle(faults.cutAfterwards(logInBySoap(services)))

  const soapCall = new Pipeline<SoapContext>([])
    .use(authenticateSoap(services))
    .use(checkSoapAccess)
    .use(checkSoapVersionInOrg(services))
    .use(checkVersion(services))
    .use(loadSchema)
    .use(limitRate(services))
    .use(faults.match(describeSoapRoute))
    .use(countCall(services))
    .use(beginCall(services))
    .use(faults.apply)
    .handle(faults.cutAfterwards(callSoap(services)))

  return {
    versions: crossOrigin().use(allowMethods('GET', 'HEAD')).handle(listVersions(services)),

    data: crossOrigin()
      .use(overrideMethod)
      .use(parsePath(services))
      .use(authenticate(services))
      .use(checkDataAccess)
      .use(checkVersion(services))
      .use(allowOriginInOrg(services))
      .use(checkAccept(services))
      .use(loadSchema)
      .use(limitRate(services))
      .use(faults.match(describeDataRoute))
      .use(countCall(services))
      .use(beginCall(services))
      .use(receiveBody(data, received))
      .use(faults.apply)
      .use(unpackBody(data, received))
      .handle(largeBodies.takeTurns(faults.cutAfterwards(dispatchCall(services)))),

    eventStream: crossOrigin()
      .use(allowMethods('GET'))
      .use(parsePath(services))
      .use(authenticate(services))
      .use(checkDataAccess)
      .use(checkVersion(services))
      .use(allowOriginInOrg(services))
      .use(loadSchema)
      .use(limitRate(services))
      .handle(streamEvents(services)),

    custom: runResource(
      crossOrigin()
        .use(overrideMethod)
        .use(useNewestVersion(services, CUSTOM_PREFIX))
        .use(authenticate(services))
        .use(checkDataAccess)
        .apply(selectResource)
        .use(limitRate(services)),
    ),

    site: runResource(
      crossOrigin()
        .use(overrideMethod)
        .use(useNewestVersion(services, CUSTOM_PREFIX))
        .use(findSiteOrg(services))
        .use(identifyGuest)
        .apply(selectResource),
    ),

    admin: plain()
      .use(authenticate(services))
      .use(checkDataAccess)
      .use(checkAdministrator)
      .use(loadSchema)
      .use(receiveBody(calls, received))
      .use(unpackBody(calls, received))
      .use(useNewestVersion(services, ADMIN_PREFIX))
      .handle(largeBodies.takeTurns(dispatchAdminCall(services))),

    token: form().handle(issueToken(services, injectTokenFaults(services))),
    revoke: form().handle(revokeByRequest(services)),
    introspect: form().handle(introspectToken(services)),
    userinfo: plain().use(allowMethods('GET', 'POST')).handle(describeUser(services)),
    singleAccess: plain()
      .use(allowMethods('GET', 'POST'))
      .use(receiveBody(forms, received))
      .use(unpackBody(forms, received))
      .handle(openSingleAccess(services)),
    identity: plain().handle(describeIdentity(services)),
    keys: plain().use(allowMethods('GET', 'HEAD')).handle(listSigningKeys(services)),
    discovery: plain().use(allowMethods('GET', 'HEAD')).handle(describeProvider),
    classicBulk: answerAsClassic(
      services,
      plain()
        .use(overrideMethod)
        .use(readClassicPath(services))
        .use(authenticateClassic(services))
        .use(checkDataAccess)
        .use(checkVersion(services))
        .use(loadSchema)
        .use(limitRate(services))
        .use(faults.match(describeClassicRoute))
        .use(countCall(services))
        .use(beginCall(services))
        .use(receiveBody(classic, received))
        .use(faults.apply)
        .use(unpackBody(classic, received))
        .handle(largeBodies.takeTurns(faults.cutAfterwards(callClassic(services)))),
    ),
    soap: answerInSoap(
      services,
      plain()
        .use(allowMethods('POST'))
        .use(readSoapAddress(services))
        .use(receiveBody(soapCalls, received))
        .use(unpackBody(soapCalls, received))
        .use(readSoapRequest)
        .handle(largeBodies.takeTurns(separateLogIns(soapLogIn, soapCall))),
    ),

    // A connect is held for long, and is no call: it counts nowhere, and has no deadline.
    cometd: crossOrigin()
      .use(allowMethods('POST'))
      .use(parseStreamPath(services))
      .use(receiveBody(messages, received))
      .use(unpackBody(messages, received))
      .handle(answerMessages(services)),
  }
}

/** Properties of an endpoint group beside its pipeline. */
const TRAITS: Partial<Record<EndpointName, Omit<Endpoint, 'url' | 'name' | 'run'>>> = {
  versions: { isCrossOrigin: true },
  data: { isCrossOrigin: true, takesCalls: true },
  eventStream: { isCrossOrigin: true },
  custom: { isCrossOrigin: true, takesCalls: true },
  site: { isCrossOrigin: true, takesCalls: true },
  token: { formatError: oauthErrorReply },
  revoke: { formatError: oauthErrorReply },
  introspect: { formatError: oauthErrorReply },
  singleAccess: { formatError: oauthErrorReply },
  soap: { takesCalls: true, formatError: (error) => faultReply(error, findApi('')) },
  classicBulk: { takesCalls: true, formatError: classicErrorReply },
  cometd: { isCrossOrigin: true },
}

function listen(services: HttpServices, urls: Urls): FastifyInstance {
  const { journal } = services
  const listenerServices: ListenerServices = {
    ...services,
    journalCall: journal && journalCalls({ ...services, journal }),
    logCall: logCalls(services),
  }
  const pipelines = makePipelines(services)
  const endpoints = urls.map(([url, name]) => ({ url, name, run: pipelines[name], ...TRAITS[name] }))
  return makeListener(listenerServices, endpoints)
}

/** The HTTP server of the orgs. */
export function makeServer(services: HttpServices): FastifyInstance {
  const { config } = services
  const server = listen(services, SERVER_URLS)
  const withFaults = injectPageFaults(services)
  routePages(server, { config, toApiError: (thrown) => toTransportError(thrown, services) }, [
    makeLogInPage({ ...services, withFaults }),
    makeLogOutPage(services),
    makePasswordChangePage(services),
    makeAuthorizePage({ ...services, withFaults }),
    makeDevicePage({ ...services, withFaults }),
    makeSingleAccessPage(services),
  ])
  routeConsole(server, config)
  routeDocs(server, config)
  return server
}

/** The public site: custom resources that the guest may call, and nothing else of any org. */
export const makeSite = (services: HttpServices): FastifyInstance => listen(services, SITE_URLS)
