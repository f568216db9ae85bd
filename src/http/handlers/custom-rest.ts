import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { ContextFactory } from '../../calls/context-factory.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import type { DeployedCode } from '../../customrest/deployed-code.ts'
import { type Resource, VERBS, type Verb } from '../../customrest/resources/resource.ts'
import type { Webhook } from '../../customrest/resources/webhook.ts'
import { type HandlerRequest, runResource } from '../../customrest/run-resource.ts'
import { acceptDelivery } from '../../customrest/webhooks/accept-delivery.ts'
import type { DeliveryLog, Incoming } from '../../customrest/webhooks/delivery-log.ts'
import type { RateCounter } from '../../quota/rate-counter.ts'
import { type BodyRules, jsonBodies, readJsonBody, unsupportedType } from '../body/receive-body.ts'
import type { FaultRoute, WithFaults } from '../middleware/fault-injection.ts'
import type { HttpContext, Identified, Routed, Started, WithSchema } from '../pipeline/http-context.ts'
import type { Middleware, RequestHandler } from '../pipeline/pipeline.ts'
import { makeCallContext } from './make-call.ts'

/** The start of a MAC in the headers of any scheme. */
const MAC = /(sha256=|v1=|v1,)([0-9A-Za-z+/])/g

/** Changes one digit of each MAC of a delivery, so that its signature is well formed but wrong. */
function withWrongSignature({ headers, ...rest }: Incoming): Incoming {
  const changed = Object.entries(headers).map(([name, value]) => {
    if (!name.endsWith('signature') && !name.endsWith('signature-256')) return [name, value]
    return [name, String(value).replace(MAC, (_, start, digit) => start + (digit === '0' ? '1' : '0'))]
  })
  return { ...rest, headers: Object.fromEntries(changed) }
}

/** The prefix of custom resources, and its twin under the name that stock clients use. (docs/reference/api/custom-resources.md#addresses) */
export const CUSTOM_PREFIX = /^\/services\/(?:customrest|apexrest)/

/** In bytes, for resources that name no limit: of a caller with a token, and of a guest. */
const MAX_RESOURCE_BYTES = 5 * 1024 * 1024
const MAX_GUEST_BYTES = 1024 * 1024

/** The code of the deployment, as it is by now. */
interface Code {
  readonly code: { readonly current: DeployedCode | undefined }
}

/** The custom resource that the path names, and the parts of the path that the resource names. */
export interface WithResource {
  readonly resource: Resource
  readonly params: Readonly<Record<string, string>>
}

/** The method is one that the resource has. */
interface WithVerb {
  readonly verb: Verb
}

const noResource = () => new ApiError('NOT_FOUND', 'Could not find a match for URL')

/** @throws ApiError NOT_FOUND */
export const findResource =
  ({ code }: Code): Middleware<HttpContext & Routed, WithResource> =>
  ({ target, facts }) => {
    const match = code.current?.resources.find(target.path)
    if (match === undefined) throw noResource()
    facts.route = match.resource.name
    return match
  }

/**
 * Access is granted by name; a caller who may customize the application may call every resource.
 * (docs/reference/api/custom-resources.md#public-site)
 * @throws ApiError FORBIDDEN
 */
export const checkResourceAccess: Middleware<Identified & WithResource> = ({ caller, resource }) => {
  const { access } = caller
  const { name } = resource
  if (access.opens(name) || access.has('CustomizeApplication')) return undefined
  throw new ApiError('FORBIDDEN', `You do not have access to the Apex class named: ${name}`)
}

export const describeResourceRoute = ({ resource }: WithResource): FaultRoute => ({
  route: `/services/customrest${resource.path}`,
  isDelivery: resource.webhook !== undefined,
})

const getType = ({ request }: HttpContext) =>
  request.headers['content-type']?.replace(/;.*/s, '').trim().toLowerCase()

/** Signatures of deliveries are about the bytes as they came. */
export function resourceBodies(
  config: Pick<Config, 'bodyLimit'>,
): BodyRules<HttpContext & Identified & WithResource> {
  const { maxBytes, ...rules } = jsonBodies(config)
  return {
    ...rules,
    maxBytes(context) {
      const { resource, session } = context
      const usual = session === undefined ? MAX_GUEST_BYTES : MAX_RESOURCE_BYTES
      return Math.min(resource.maxBytes ?? usual, maxBytes(context))
    },
    checkType(context) {
      const { types, webhook } = context.resource
      const type = getType(context)
      if (webhook !== undefined || type === undefined || types.includes('*') || types.includes(type)) return
      throw unsupportedType(type)
    },
    staysPacked: ({ resource }) => resource.webhook !== undefined,
  }
}

const isVerb = (method: string): method is Verb => (VERBS as readonly string[]).includes(method)

/**
 * HEAD is GET without the body.
 * @throws ApiError METHOD_NOT_ALLOWED
 */
export const checkVerb: Middleware<HttpContext & WithResource, WithVerb> = (context) => {
  const { method, response, resource } = context
  const verb = method === 'HEAD' ? 'GET' : method
  if (isVerb(verb) && resource.verbs.includes(verb)) return { verb }
  const allowed = [...resource.verbs].sort().join(', ')
  response.header('Allow', allowed)
  throw new ApiError('METHOD_NOT_ALLOWED', `HTTP Method '${method}' not allowed. Allowed are ${allowed}`)
}

/** Handlers do not get the caller's credentials. */
const CREDENTIALS = ['authorization', 'cookie']

function getHandlerHeaders({ request }: HttpContext): Readonly<Record<string, string>> {
  const given = Object.entries(request.headers).filter(([name]) => !CREDENTIALS.includes(name))
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

/** @throws ApiError JSON_PARSER_ERROR */
async function makeHandlerRequest(
  context: HttpContext & Routed & WithResource & WithVerb & Started,
): Promise<HandlerRequest> {
  const { bytes, target, params, query, verb } = context
  const type = getType(context)
  const isJson = bytes.length > 0 && (type === undefined || /^application\/(?:[\w.-]+\+)?json$/.test(type))
  return {
    method: verb,
    path: target.path,
    params,
    query: Object.fromEntries(query),
    headers: getHandlerHeaders(context),
    bytes,
    body: isJson ? (await readJsonBody(context))?.value : undefined,
  }
}

interface ResourceServices extends Code {
  readonly contexts: ContextFactory
  readonly deliveries: DeliveryLog
  /** How many deliveries receivers accept. */
  readonly deliveryRates: RateCounter
  readonly clock: Clock
}

type ResourceContext = HttpContext &
  Identified &
  Routed &
  WithSchema &
  WithResource &
  WithVerb &
  Started &
  WithFaults

/** Runs the handler of a resource. Deliveries to a webhook are only stored: jobs process them later. */
export function callResource(services: ResourceServices): RequestHandler<ResourceContext> {
  const { code, contexts, deliveries, deliveryRates, clock } = services

  const makeContext = (context: ResourceContext) => {
    const { running, faults } = context
    return makeCallContext(contexts, context, { running, faults: faults.ofCall })
  }

  async function receiveDelivery(context: ResourceContext, webhook: Webhook): Promise<Reply> {
    const { resource, bytes, request, faults } = context
    const received = { receiver: resource.name, bytes, headers: request.headers }
    const incoming = faults.delivery === 'wrongSignature' ? withWrongSignature(received) : received
    const accept = () =>
      acceptDelivery(deliveries, deliveryRates, makeContext(context), webhook, incoming, clock())
    if (faults.delivery === 'twice') await accept()
    return accept()
  }

  return async (context) => {
    const { resource, verb } = context
    if (resource.webhook !== undefined) return receiveDelivery(context, resource.webhook)
    const request = await makeHandlerRequest(context)
    const pool = code.current?.pool
    // The deployment was reloaded meanwhile, and has no code any more.
    if (pool === undefined) throw noResource()
    return runResource(pool, makeContext(context), resource, verb, request)
  }
}
