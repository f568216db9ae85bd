import { ApiError } from '../base/api-error.ts'
import { type Resource, VERBS, type Verb } from '../customrest/resource.ts'
import { type HandlerRequest, runResource } from '../customrest/run-resource.ts'
import { acceptDelivery } from '../customrest/webhooks/accept-delivery.ts'
import { withWrongSignature } from '../customrest/webhooks/wrong-signature.ts'
import { contextOf } from './data-stages.ts'
import { newestTarget } from './newest-target.ts'
import { readBody } from './read-body.ts'
import type { Stage, Visit } from './visit.ts'

/** The prefix of custom resources, and its twin under the name that stock clients use. (contract/records 9) */
const PREFIX = /^\/services\/(?:customrest|apexrest)/

export const customTarget: Stage = (visit) => {
  visit.target = newestTarget(visit, PREFIX.exec(visit.path)![0])
  return undefined
}

/** Who calls the public site, whatever he brings with him. (interface.md "Authentication" 8) */
export const guestCaller: Stage = async (visit) => {
  const { hosts, runtimes } = visit.house
  const org = await hosts.orgAt(visit.request.hostname)
  if (org === undefined) throw new ApiError('NOT_FOUND', 'The requested resource does not exist')
  visit.runtime = runtimes.of(org)
  const caller = await visit.runtime.callers.guest()
  if (caller === undefined) throw new ApiError('FORBIDDEN', 'The site has no guest user')
  visit.caller = caller
  return undefined
}

export const findResource: Stage = (visit) => {
  const match = visit.house.code.current?.resources.find(visit.target!.path)
  if (match === undefined) throw new ApiError('NOT_FOUND', 'Could not find a match for URL')
  Object.assign(visit, match)
  visit.route = match.resource.name
  return undefined
}

/** Access is granted by name; who may change the application may call whatever it has. (interface.md "Authentication" 8) */
export const classAccess: Stage = ({ caller, resource }) => {
  const { access } = caller!
  const { name } = resource!
  if (access.opens(name) || access.has('CustomizeApplication')) return undefined
  throw new ApiError('FORBIDDEN', `You do not have access to the Apex class named: ${name}`)
}

const isVerb = (method: string): method is Verb => (VERBS as readonly string[]).includes(method)

/** HEAD is GET without the body. */
const verbOf = ({ method }: Visit) => (method === 'HEAD' ? 'GET' : method)

export const knownVerb: Stage = (visit) => {
  const { verbs } = visit.resource!
  const verb = verbOf(visit)
  if (isVerb(verb) && verbs.includes(verb)) return undefined
  const allowed = [...verbs].sort().join(', ')
  visit.response.header('Allow', allowed)
  throw new ApiError(
    'METHOD_NOT_ALLOWED',
    `HTTP Method '${visit.method}' not allowed. Allowed are ${allowed}`,
  )
}

const typeOf = ({ request }: Visit) =>
  request.headers['content-type']?.replace(/;.*/s, '').trim().toLowerCase()

function checkType(type: string | undefined, { types }: Resource): void {
  if (type === undefined || types.includes('*') || types.includes(type)) return
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `Content type ${type.slice(0, 255)} is not supported`)
}

/** What a caller proves himself with is nothing for a handler. */
const PROOFS = ['authorization', 'cookie']

function headersOf({ request }: Visit): Readonly<Record<string, string>> {
  const given = Object.entries(request.headers).filter(([name]) => !PROOFS.includes(name))
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

async function requestOf(visit: Visit): Promise<HandlerRequest> {
  const { bytes, target, params, query, resource } = visit
  const type = bytes.length === 0 ? undefined : typeOf(visit)
  checkType(type, resource!)
  const isJson = bytes.length > 0 && (type === undefined || /^application\/(?:[\w.-]+\+)?json$/.test(type))
  return {
    method: verbOf(visit),
    path: target!.path,
    params: params!,
    query: Object.fromEntries(query),
    headers: headersOf(visit),
    bytes,
    body: isJson ? (await readBody(visit))?.value : undefined,
  }
}

/** Deliveries are taken in as they are; what is done about them is done later. */
export const receiveDelivery: Stage = async (visit) => {
  const { webhook, name } = visit.resource!
  if (webhook === undefined) return undefined
  const { deliveries, rates, clock } = visit.house
  const came = { receiver: name, bytes: visit.bytes, headers: visit.request.headers }
  const incoming = visit.rehearsedDelivery === 'wrongSignature' ? withWrongSignature(came) : came
  const accept = () => acceptDelivery(deliveries, rates, contextOf(visit), webhook, incoming, clock())
  if (visit.rehearsedDelivery === 'twice') await accept()
  return accept()
}

export const runHandler: Stage = async (visit) => {
  const request = await requestOf(visit)
  const { pool } = visit.house.code.current!
  return runResource(pool, contextOf(visit), visit.resource!, verbOf(visit) as Verb, request)
}
