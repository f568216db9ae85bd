import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { findApp } from '../apps/find-app.ts'
import { type ConnectedApp, isFirstParty } from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { parseScope } from '../oauth/scopes.ts'

/** Path of the authorization endpoint. */
export const AUTHORIZE_PATH = '/services/oauth2/authorize'

/** An error found before the redirect URI is known to be valid: it is shown on a page, without a redirect. */
export class AuthorizeRefusal extends Error {
  readonly code: 'invalid_client_id' | 'invalid_org' | 'redirect_uri_missing' | 'redirect_uri_mismatch'

  constructor(code: AuthorizeRefusal['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The app of an authorization request, and where to redirect to. */
export interface AuthorizeTarget {
  readonly app: ConnectedApp
  readonly redirectUri: string
}

/** The parameters of an authorization request. (docs/reference/api/tokens.md#authorization-request) */
export interface AuthorizeRequest {
  readonly scopes: readonly string[]
  readonly challenge: string | undefined
  readonly nonce: string | undefined
  /** The user has to log in even if there is a session. */
  readonly wantsLogIn: boolean
  /** The user has to approve even if the same scopes were approved before. */
  readonly wantsConsent: boolean
  /** No page may be shown. */
  readonly isSilent: boolean
}

/** Where a request arrives: what the console, which every org has, does not say itself. */
export interface AuthorizePlace {
  /**
   * The org whose console is meant.
   * @param named by the request; undefined: the one that is at home here
   */
  findOrg(named: string | undefined): Promise<Org | undefined>
  /** Where the console of the org may be. */
  findConsoleOrigins(org: Org): Promise<readonly string[]>
}

/** Where the console gets its codes, below the address of the server. */
const CONSOLE_CALLBACK = '/console/callback'

/** A parameter that must not be repeated; undefined if it is absent or repeated. */
function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name)
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}

/** Schemes that a browser would execute, or that do not leave it: no app can be reached there. */
const NO_CALLBACK = /^(javascript|data|vbscript|blob|file|about|view-source|filesystem):/i

async function findConsoleOrg(parameters: URLSearchParams, place: AuthorizePlace): Promise<Org> {
  const org = await place.findOrg(single(parameters, 'org'))
  if (org === undefined) throw new AuthorizeRefusal('invalid_org', 'there is no org of that name here')
  return org
}

/**
 * The app and its redirect URI, which must equal a configured one exactly.
 * @throws AuthorizeRefusal
 */
export async function findTarget(
  db: Db,
  parameters: URLSearchParams,
  place: AuthorizePlace,
): Promise<AuthorizeTarget> {
  const clientId = single(parameters, 'client_id') ?? ''
  const org = isFirstParty({ clientId }) ? await findConsoleOrg(parameters, place) : undefined
  const app = await findApp(db, clientId, org)
  if (app === undefined) throw new AuthorizeRefusal('invalid_client_id', 'client identifier invalid')
  if (!parameters.has('redirect_uri')) {
    throw new AuthorizeRefusal('redirect_uri_missing', 'missing required parameter: redirect_uri')
  }
  const redirectUri = single(parameters, 'redirect_uri')
  const callbacks =
    org === undefined
      ? app.callbackUrls
      : (await place.findConsoleOrigins(org)).map((origin) => `${origin}${CONSOLE_CALLBACK}`)
  const isKnown = redirectUri !== undefined && callbacks.includes(redirectUri)
  if (!isKnown || NO_CALLBACK.test(redirectUri) || !URL.canParse(redirectUri)) {
    throw new AuthorizeRefusal('redirect_uri_mismatch', 'redirect_uri must match configuration')
  }
  return { app, redirectUri }
}

const MEMBERS = [
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'login_hint',
  'nonce',
  'immediate',
]

const MAX_NONCE_LENGTH = 1000

/** SHA-256 in base64url, with optional padding. */
const CHALLENGE = /^([A-Za-z0-9_-]{43})=?$/

const invalid = (description: string) => new OAuthError('invalid_request', description)

/** A challenge always uses S256; most clients do not send the method. (docs/reference/api/tokens.md#authorization-request) */
function parseChallenge(parameters: URLSearchParams, { requirePkce }: ConnectedApp): string | undefined {
  const method = single(parameters, 'code_challenge_method')
  if (method !== undefined && method !== 'S256') throw invalid('code challenge method must be S256')
  const text = single(parameters, 'code_challenge')
  if (text === undefined) {
    if (requirePkce || method !== undefined) throw invalid('missing required code challenge')
    return undefined
  }
  const challenge = CHALLENGE.exec(text)?.[1]
  if (challenge === undefined) throw invalid('invalid code challenge')
  return challenge
}

/**
 * Parses the other parameters. Errors in them are reported to the redirect URI.
 * @throws OAuthError
 */
export function readRequest(parameters: URLSearchParams, { app }: AuthorizeTarget): AuthorizeRequest {
  const twice = MEMBERS.find((name) => parameters.getAll(name).length > 1)
  if (twice !== undefined) throw invalid(`parameter stands more than once: ${twice}`)
  const type = single(parameters, 'response_type')
  if (type === undefined) throw invalid('missing required parameter: response_type')
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response type not supported')
  if (app.isBlocked) throw new OAuthError('OAUTH_APP_BLOCKED', 'this app is blocked by admin')
  const challenge = parseChallenge(parameters, app)
  const nonce = single(parameters, 'nonce')
  if (nonce !== undefined && (nonce.length > MAX_NONCE_LENGTH || nonce.includes('\0')))
    throw invalid('invalid nonce')
  const scopes = parseScope(single(parameters, 'scope'), app)
  const prompts = parsePrompts(parameters)
  const isNone = prompts.includes('none')
  if (isNone && prompts.length > 1) throw invalid('prompt none stands alone')
  return {
    scopes,
    challenge,
    nonce,
    wantsLogIn: prompts.some((prompt) => LOG_IN_PROMPTS.includes(prompt)),
    wantsConsent: prompts.includes('consent'),
    isSilent: isNone || single(parameters, 'immediate') === 'true',
  }
}

const LOG_IN_PROMPTS = ['login', 'select_account']

const parsePrompts = (parameters: URLSearchParams) =>
  (single(parameters, 'prompt') ?? '').split(/\s+/).filter((prompt) => prompt !== '')

/** The same request without the prompts for a log-in, for after the log-in. */
export function afterLogIn(parameters: URLSearchParams): string {
  const next = new URLSearchParams(parameters)
  const prompts = parsePrompts(parameters).filter((prompt) => !LOG_IN_PROMPTS.includes(prompt))
  next.delete('prompt')
  if (prompts.length > 0) next.set('prompt', prompts.join(' '))
  return `${AUTHORIZE_PATH}?${next}`
}

/** The same request with a log-in as another user. */
export function asAnotherUser(parameters: URLSearchParams): string {
  const next = new URLSearchParams(parameters)
  next.set('prompt', [...new Set([...parsePrompts(parameters), 'select_account'])].join(' '))
  return `${AUTHORIZE_PATH}?${next}`
}
