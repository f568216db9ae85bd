import { mayUseData } from '../auth/principal.ts'
import { ApiError } from '../base/api-error.ts'
import type { Call } from '../calls/call.ts'
import { parseDataPath } from '../calls/data-path.ts'
import { deprecationOf } from '../calls/version-support.ts'
import type { Context } from '../context.ts'
import { allocationOf } from '../limits/editions.ts'
import { tooManyCallsPerSecond } from '../limits/limit-errors.ts'
import { bearerToken } from './bearer-token.ts'
import { findCaller } from './find-caller.ts'
import { isReachedHere } from './host-of-org.ts'
import { makeContext } from './make-context.ts'
import { readBody } from './read-body.ts'
import { isUpload } from './receive-body.ts'
import { receiveUpload } from './receive-upload.ts'
import { tellStatements } from './tell-statements.ts'
import { MAX_URI_LENGTH, type Stage, type Visit } from './visit.ts'

export const uriTooLong = () =>
  new ApiError('URI_TOO_LONG', `The address is longer than ${MAX_URI_LENGTH} bytes.`)

export const checkUriLength: Stage = ({ request }) => {
  if ((request.raw.url ?? '').length > MAX_URI_LENGTH) throw uriTooLong()
  return undefined
}

/** `POST ...?_HttpMethod=PATCH`, for stacks that know GET and POST only. (contract/records 0) */
export const overrideMethod: Stage = (visit) => {
  const wanted = visit.query.get('_HttpMethod')?.toUpperCase()
  if (visit.method === 'POST' && wanted !== undefined && ['PATCH', 'PUT', 'DELETE'].includes(wanted)) {
    visit.method = wanted
  }
  return undefined
}

/** The version that the path names, and the resource behind it. */
export const knownVersion: Stage = (visit) => {
  visit.target = parseDataPath(visit.path, visit.house.config)
  visit.route = visit.house.dispatch.patternOf(visit.target.path)
  return undefined
}

/** Whether the version is still one by the clock of the org, and a word of warning in its last year. */
export const livingVersion: Stage = ({ house, response, runtime, target }) => {
  const now = house.clocks.of(runtime!.org.id)()
  const warning = deprecationOf(target!.version, house.config, now)
  if (warning !== undefined) response.header('Warning', warning)
  return undefined
}

/** Whose token it is, and so which org. */
export const bearerToCaller: Stage = async (visit) => {
  const header = visit.request.headers.authorization
  const unauthorized = (code: 'INVALID_SESSION_ID' | 'INVALID_AUTH_HEADER', message: string) => {
    visit.response.header('WWW-Authenticate', 'Token')
    return new ApiError(code, message)
  }
  if (header === undefined) throw unauthorized('INVALID_SESSION_ID', 'Session expired or invalid')
  const token = bearerToken(header)
  if (token === undefined) throw unauthorized('INVALID_AUTH_HEADER', 'INVALID_HEADER_TYPE')
  const known = await findCaller(visit, token)
  const isHere = known !== undefined && (await isReachedHere(visit, known.session.org))
  if (!isHere) throw unauthorized('INVALID_SESSION_ID', 'Session expired or invalid')
  Object.assign(visit, known)
  return undefined
}

/** A token for something else does not open the data, nor does one of somebody who may not use it this way. */
export const dataScope: Stage = ({ session, caller }) => {
  if (!mayUseData(session!.scopes))
    throw new ApiError('INSUFFICIENT_ACCESS', 'The token has no scope for data: api')
  if (!caller!.access.has('ApiEnabled')) {
    throw new ApiError('API_DISABLED_FOR_ORG', 'The REST API is not enabled for this Organization.')
  }
  return undefined
}

export const snapshotOfOrg: Stage = async (visit) => {
  visit.schema = await visit.runtime!.snapshots.current()
  return undefined
}

const JSON_TYPE = /^application\/json\s*(;.*)?$/i
/** What comes with a method that needs no body means nothing. */
const hasBody = ({ method }: Visit) => !['GET', 'DELETE', 'HEAD'].includes(method)

async function bodyOf(visit: Visit): Promise<Pick<Call, 'body' | 'locate'>> {
  const nowhere = { body: undefined, locate: () => ({ line: 1, column: 1 }) }
  if (visit.bytes.length === 0 || !hasBody(visit)) {
    return nowhere
  }
  const type = visit.request.headers['content-type']
  if (type !== undefined && !JSON_TYPE.test(type)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `Content type ${type.slice(0, 255)} is not supported`)
  }
  const read = await readBody(visit)
  return read === undefined ? nowhere : { body: read.value, locate: read.locate }
}

/** What a visit asks for, without the transport. */
export async function callOf(visit: Visit, upload?: Pick<Call, 'body' | 'locate'>): Promise<Call> {
  const body = upload ?? (await bodyOf(visit))
  return {
    method: visit.method,
    path: visit.target!.path,
    query: visit.query,
    headers: visit.request.headers as Call['headers'],
    ...body,
  }
}

/** In whose name, and in which world. */
export function contextOf({
  house,
  runtime,
  schema,
  caller,
  target,
  origin,
  running,
  request,
  faults,
}: Visit): Context {
  const { version } = target!
  const { principal, access } = caller!
  const who = { schema: schema!, principal, access, version, origin, faults }
  return makeContext(house, runtime!, who, { requestId: request.id, running })
}

/** How many calls a caller makes in a second, where the settings bound that. Calls that are refused count nowhere else. */
export const countRate: Stage = ({ house, runtime, session, caller }) => {
  const { callsPerSecond } = house.config
  if (callsPerSecond === 0) return undefined
  const name = `${runtime!.org.id} ${caller!.user.id} ${session?.clientId ?? ''}`
  if (house.callRates.admit(name, callsPerSecond, house.clock())) return undefined
  throw tooManyCallsPerSecond()
}

/** How much of the allocation is used, this call included, under both names. (contract/records 8.2) */
function tellUsage({ house, response, runtime, hidesLimitHeader }: Visit): void {
  if (hidesLimitHeader) return
  const { calls } = allocationOf(house.config)
  const usage = `api-usage=${house.ledger.used(runtime!.org.id)}/${calls}`
  response.headers({ 'Svc-Limit-Info': usage, 'Sforce-Limit-Info': usage })
}

/**
 * One call, whatever it is made of; refused when the allocation is used up or too many calls run for long.
 * (interface.md "Composite" 6, "Limits")
 */
export const countCall: Stage = (visit) => {
  const { house, runtime, session, target } = visit
  const counted = () => {
    visit.isCounted = true
    tellUsage(visit)
    return undefined
  }
  const refused = (error: unknown) => {
    tellUsage(visit)
    throw error
  }
  let waiting: Promise<void> | undefined
  try {
    const { org } = runtime!
    waiting = house.ledger.count({ org, clientId: session?.clientId, version: target!.version })
  } catch (error) {
    return refused(error)
  }
  // Most calls are let in at once, and wait for nothing.
  return waiting === undefined ? counted() : waiting.then(counted, refused)
}

/** From here on the call has as long as the settings say. */
export const beginCall: Stage = (visit) => {
  const { house, runtime, request } = visit
  visit.running = house.running.begin(runtime!.org.id, tellStatements(house, request.id))
  return undefined
}

export const dispatchCall: Stage = async (visit) => {
  const { dispatch } = visit.house
  if (!isUpload(visit) || !hasBody(visit)) return dispatch(contextOf(visit), await callOf(visit))
  const upload = await receiveUpload(visit)
  try {
    return await dispatch(contextOf(visit), await callOf(visit, upload))
  } finally {
    await upload.discard()
  }
}
