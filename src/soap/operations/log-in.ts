import type { Caller, Callers } from '../../access/callers.ts'
import type { AttemptLimits } from '../../auth/attempts/attempt-rules.ts'
import type { Attempts } from '../../auth/attempts/attempts.ts'
import type { LoginApi } from '../../auth/history/login-history.sql.ts'
import { SOAP_CLIENT_ID } from '../../auth/oauth/connected-app.ts'
import { OAuthError } from '../../auth/oauth/oauth-error.ts'
import { issuing } from '../../auth/tokens/access-locks.ts'
import type { Session, Sessions } from '../../auth/tokens/sessions.ts'
import { checkCountedPassword } from '../../auth/users/check-counted-password.ts'
import { PASSWORD_CHANGE_SCOPE } from '../../auth/users/expired-password.ts'
import type { LoggedIn } from '../../auth/users/log-in.ts'
import { isPasswordStill } from '../../auth/users/passwords.ts'
import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { XmlContent } from '../../xml/write-xml.ts'
import { findText, type SoapRequest } from '../read-request.ts'
import { findOrganization, makeUserInfo } from './user-info.ts'

/** In characters, as `LoginHistory` has it. */
const MAX_CLIENT_NAME = 80

/** The newest version that has it. */
const LAST_VERSION = 64

export interface LogInServices {
  readonly reserved: Db
  readonly sessions: Sessions
  readonly clock: Clock
  readonly attempts: Attempts
  readonly config: Pick<Config, 'allowSoapLogin' | 'sessionSeconds'> & AttemptLimits
}

/** Where a log-in is made. */
interface LogInPlace {
  readonly org: Org
  readonly callers: Callers
  readonly version: ApiVersion
  /** Where clients reach the org. */
  readonly origin: string
  /** Address of the client as returned by `addressKey`. */
  readonly address: string
}

interface Begun {
  readonly session: Session
  readonly caller: Caller
  readonly result: XmlContent
}

/** One text whatever is wrong: different ones would reveal which users exist. */
const invalidLogin = () =>
  new ApiError('INVALID_LOGIN', 'Invalid username, password, security token; or user locked out.')

/** @throws ApiError INVALID_OPERATION where nobody can log in, whatever the password is */
function checkAvailable({ text, major }: ApiVersion, { allowSoapLogin }: Pick<Config, 'allowSoapLogin'>) {
  if (major > LAST_VERSION) {
    throw new ApiError(
      'INVALID_OPERATION',
      `The SOAP Login operation is not available in the API version specified (${text}). Refer to the documentation for supported versions.`,
    )
  }
  if (allowSoapLogin) return
  throw new ApiError(
    'INVALID_OPERATION',
    'SOAP API login() is disabled by default in this org. Contact the org administrator to enable SOAP API login().',
  )
}

/** @throws ApiError INVALID_LOGIN, REQUEST_LIMIT_EXCEEDED */
async function checkUser(
  services: LogInServices,
  { api, operation }: SoapRequest,
  { org, address }: LogInPlace,
): Promise<LoggedIn> {
  const { reserved: db, clock, attempts, config: settings } = services
  const username = findText(api, operation, 'username') ?? ''
  const password = findText(api, operation, 'password') ?? ''
  const surroundings = { db, clock, attempts, settings, address }
  const found = await checkCountedPassword(surroundings, org, username, password)
  if (found.logIn === undefined) {
    throw new ApiError('REQUEST_LIMIT_EXCEEDED', 'Login rate exceeded', { retryAfterSeconds: found.wait })
  }
  if (found.logIn.refusal !== undefined) throw invalidLogin()
  return found.logIn
}

/** As `LoginHistory` has it. */
const describeApi = ({ api, clientName }: SoapRequest, { text }: ApiVersion): LoginApi => ({
  clientName: clientName?.replaceAll(/\p{C}/gu, '').slice(0, MAX_CLIENT_NAME).toWellFormed() || 'N/A',
  apiType: api.letter === 'c' ? 'SOAP Enterprise' : 'SOAP Partner',
  apiVersion: text,
})

/**
 * Logs a user in with a password, as the pages do. Where the password has to be changed first, the session is good for that alone.
 * (docs/reference/api/soap.md#log-in)
 * @throws ApiError INVALID_OPERATION, INVALID_LOGIN, REQUEST_LIMIT_EXCEEDED, API_DISABLED_FOR_ORG
 */
export async function logIn(
  services: LogInServices,
  request: SoapRequest,
  place: LogInPlace,
): Promise<Begun> {
  const { reserved: db, sessions, config } = services
  const { org, version, origin, address } = place
  checkAvailable(version, config)
  const { user, mustChange, passwordHash } = await checkUser(services, request, place)
  const caller = await place.callers.of(user.id)
  if (caller?.access.has('ApiEnabled') !== true) {
    throw new ApiError('API_DISABLED_FOR_ORG', 'API is not enabled for this Organization or Partner')
  }
  const scopes = mustChange ? [PASSWORD_CHANGE_SCOPE] : ['api']
  const session = { org, userId: user.id, clientId: SOAP_CLIENT_ID, scopes }
  const sessionId = await issuing(db, session, async (tx) => {
    if (!(await isPasswordStill(tx, org, user.id, passwordHash))) throw invalidLogin()
    return sessions.issue(
      { ...session, grantType: 'soap', address, loginApi: describeApi(request, version) },
      tx,
    )
  }).catch((error) => {
    // The user was deactivated meanwhile.
    throw error instanceof OAuthError ? invalidLogin() : error
  })
  const organization = await findOrganization(db, org)
  const serverUrl = (letter: string) =>
    `${origin}/services/Soap/${letter}/${version.text}/${org.id.slice(0, 15)}`
  return {
    session,
    caller,
    result: {
      metadataServerUrl: serverUrl('m'),
      passwordExpired: mustChange,
      sandbox: organization.isSandbox === true,
      serverUrl: serverUrl(request.api.letter),
      sessionId,
      userId: user.id,
      userInfo: makeUserInfo(org, organization, user, config.sessionSeconds),
    },
  }
}
