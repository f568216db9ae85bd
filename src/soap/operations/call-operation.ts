import type { Caller } from '../../access/callers.ts'
import { hashToken } from '../../auth/oauth/token-text.ts'
import { revokeSession } from '../../auth/tokens/revoke.ts'
import type { Session, Sessions } from '../../auth/tokens/sessions.ts'
import { isForPasswordChange } from '../../auth/users/expired-password.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Method } from '../../calls/route.ts'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../storage/database/db.ts'
import type { XmlContent, XmlContents } from '../../xml/write-xml.ts'
import { type AnsweredOperation, findRestRoute, isAnswered } from '../operation-names.ts'
import { findText, type SoapRequest } from '../read-request.ts'
import { findOrganization, makeUserInfo } from './user-info.ts'

export interface OperationServices {
  readonly reserved: Db
  readonly sessions: Sessions
  readonly config: Pick<Config, 'sessionSeconds' | 'versions'>
}

/** A SOAP call of a session. */
interface SoapCall {
  readonly request: SoapRequest
  readonly session: Session
  readonly caller: Caller
  readonly token: string
  /** Of the org. */
  readonly clock: Clock
  /** Of a call of the data API. */
  readonly context: () => Context
  /** Carries out a call of the data API in the name of the session, or without naming its token. */
  send(method: Method, path: string, body: unknown, namesToken: boolean): Promise<Reply>
}

/** Returns its result; undefined: it has none. */
type Operation = (services: OperationServices, call: SoapCall) => Promise<XmlContents | undefined>

const expiredPassword = () =>
  new ApiError(
    'INVALID_OPERATION_WITH_EXPIRED_PASSWORD',
    'The users password has expired, you must call SetPassword before attempting any other API operations',
  )

const logOut: Operation = async ({ reserved, sessions }, { token }) => {
  await revokeSession(reserved, hashToken(token))
  sessions.expectRevocations()
  return undefined
}

const getUserInfo: Operation = async ({ reserved, config }, { session: { org }, caller: { user } }) =>
  makeUserInfo(org, await findOrganization(reserved, org), user, config.sessionSeconds)

const getServerTimestamp: Operation = async (_services, { clock }) => ({ timestamp: clock().toISOString() })

/** The session of an expired password ends: its user logs in with the new one. */
const setPassword: Operation = async (_services, { request: { api, operation }, session, send }) => {
  const userId = (findText(api, operation, 'userId') ?? '').trim()
  if (canonicalRecordId(userId) === undefined) throw new ApiError('MALFORMED_ID', 'malformed id')
  const isExpired = isForPasswordChange(session.scopes)
  if (isExpired && canonicalRecordId(userId) !== session.userId) throw expiredPassword()
  const path = `/sobjects/User/${userId}/password`
  const body = { NewPassword: findText(api, operation, 'password') ?? '' }
  const { error } = await send('POST', path, body, !isExpired)
  if (error !== undefined) throw error
  return {}
}

const OPERATIONS: Readonly<Record<Exclude<AnsweredOperation, 'login'>, Operation>> = {
  logout: logOut,
  getUserInfo,
  getServerTimestamp,
  setPassword,
}

/** Code is answered as the tooling API does. */
const callCode: Operation = async (_services, { request: { operation }, send }) => {
  if (operation.name !== 'executeAnonymous') {
    throw new ApiError(
      'FUNCTIONALITY_NOT_ENABLED',
      `The SOAP call ${operation.name} is not supported here: code is TypeScript, and comes with a deployment (objectry deploy).`,
    )
  }
  const { error, body } = await send('GET', '/tooling/executeAnonymous', undefined, true)
  if (error !== undefined) throw error
  return body as XmlContent
}

/** Calls of a session whose password has expired. */
const WITH_EXPIRED_PASSWORD: readonly string[] = ['logout', 'getServerTimestamp', 'setPassword']

function refuse(name: string, { versions }: Pick<Config, 'versions'>): never {
  const route = findRestRoute(name)
  const advice = route
    ? `Use REST instead: ${route}, below /services/data/v${versions.at(-1)}.0.`
    : 'REST has no call for it either.'
  throw new ApiError('FUNCTIONALITY_NOT_ENABLED', `The SOAP call ${name} is not supported here. ${advice}`)
}

/**
 * Carries out a call of a session.
 * @throws ApiError
 */
export async function callOperation(
  services: OperationServices,
  call: SoapCall,
): Promise<XmlContents | undefined> {
  const { name } = call.request.operation
  if (isForPasswordChange(call.session.scopes) && !WITH_EXPIRED_PASSWORD.includes(name)) {
    throw expiredPassword()
  }
  if (call.request.api.letter === 'm') {
    // Most servers are never asked for metadata.
    const { callMetadata } = await import('../metadata/call-metadata.ts')
    return callMetadata(call.context(), call.request)
  }
  if (call.request.api.letter === 's') return callCode(services, call)
  if (!isAnswered(name) || name === 'login') return refuse(name, services.config)
  return OPERATIONS[name](services, call)
}
