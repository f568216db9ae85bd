import type { Db } from '../../storage/database/db.ts'
import { findApp } from '../apps/find-app.ts'
import type { ConnectedApp } from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { parseScope } from '../oauth/scopes.ts'

/** Where the browser is asked for a user's agreement. */
export const AUTHORIZE_PATH = '/services/oauth2/authorize'

/** What is wrong before it is known where an answer may go: it is shown, and the browser is sent nowhere. */
export class AuthorizeRefusal extends Error {
  readonly code: 'invalid_client_id' | 'redirect_uri_missing' | 'redirect_uri_mismatch'

  constructor(code: AuthorizeRefusal['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Who asks, and where the answer goes. */
export interface AuthorizeTarget {
  readonly app: ConnectedApp
  readonly redirectUri: string
}

/** What a client wants of the user. (docs/reference/api/tokens.md#authorization-request) */
export interface AuthorizeRequest {
  readonly scopes: readonly string[]
  readonly challenge: string | undefined
  readonly nonce: string | undefined
  /** The user has to log in although somebody is logged in. */
  readonly wantsLogIn: boolean
  /** The user is asked although the same was approved before. */
  readonly wantsConsent: boolean
  /** No page may be shown. */
  readonly isSilent: boolean
}

/** What stands exactly once. */
function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name)
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}

/** Addresses that a browser would run, or that stay in it: no app can be there. */
const NO_CALLBACK = /^(javascript|data|vbscript|blob|file|about|view-source|filesystem):/i

/**
 * The app and its callback. A callback is one that is configured, letter by letter.
 * @throws AuthorizeRefusal
 */
export async function findTarget(db: Db, parameters: URLSearchParams): Promise<AuthorizeTarget> {
  const clientId = single(parameters, 'client_id')
  const app = clientId === undefined ? undefined : await findApp(db, clientId)
  if (app === undefined) throw new AuthorizeRefusal('invalid_client_id', 'client identifier invalid')
  if (!parameters.has('redirect_uri')) {
    throw new AuthorizeRefusal('redirect_uri_missing', 'missing required parameter: redirect_uri')
  }
  const redirectUri = single(parameters, 'redirect_uri')
  const isKnown = redirectUri !== undefined && app.callbackUrls.includes(redirectUri)
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

/** SHA-256 in base64url; some add the padding. */
const CHALLENGE = /^([A-Za-z0-9_-]{43})=?$/

const invalid = (description: string) => new OAuthError('invalid_request', description)

/** A challenge always means S256; most clients do not say so. (docs/reference/api/tokens.md#authorization-request) */
function challengeOf(parameters: URLSearchParams, { requirePkce }: ConnectedApp): string | undefined {
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
 * What else a request says. What is wrong with it is told to the callback.
 * @throws OAuthError
 */
export function readRequest(parameters: URLSearchParams, { app }: AuthorizeTarget): AuthorizeRequest {
  const twice = MEMBERS.find((name) => parameters.getAll(name).length > 1)
  if (twice !== undefined) throw invalid(`parameter stands more than once: ${twice}`)
  const type = single(parameters, 'response_type')
  if (type === undefined) throw invalid('missing required parameter: response_type')
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response type not supported')
  if (app.isBlocked) throw new OAuthError('OAUTH_APP_BLOCKED', 'this app is blocked by admin')
  const challenge = challengeOf(parameters, app)
  const nonce = single(parameters, 'nonce')
  if (nonce !== undefined && (nonce.length > MAX_NONCE_LENGTH || nonce.includes('\0')))
    throw invalid('invalid nonce')
  const scopes = parseScope(single(parameters, 'scope'), app)
  const prompts = promptsOf(parameters)
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

const promptsOf = (parameters: URLSearchParams) =>
  (single(parameters, 'prompt') ?? '').split(/\s+/).filter((prompt) => prompt !== '')

/** The same request once the user has logged in for it. */
export function afterLogIn(parameters: URLSearchParams): string {
  const next = new URLSearchParams(parameters)
  const prompts = promptsOf(parameters).filter((prompt) => !LOG_IN_PROMPTS.includes(prompt))
  next.delete('prompt')
  if (prompts.length > 0) next.set('prompt', prompts.join(' '))
  return `${AUTHORIZE_PATH}?${next}`
}

/** The same request, as another user. */
export function asSomebodyElse(parameters: URLSearchParams): string {
  const next = new URLSearchParams(parameters)
  next.set('prompt', [...new Set([...promptsOf(parameters), 'select_account'])].join(' '))
  return `${AUTHORIZE_PATH}?${next}`
}
