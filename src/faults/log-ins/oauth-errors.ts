/** The grants of the token endpoint, as fault plans name them, by their `grant_type`. */
const GRANT_NAMES: ReadonlyMap<string, GrantName> = new Map([
  ['authorization_code', 'authorization_code'],
  ['client_credentials', 'client_credentials'],
  ['device', 'device'],
  ['urn:ietf:params:oauth:grant-type:device_code', 'device'],
  ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'jwt_bearer'],
  ['password', 'password'],
  ['refresh_token', 'refresh_token'],
])

export const GRANT_CHOICES = [
  'authorization_code',
  'client_credentials',
  'device',
  'jwt_bearer',
  'password',
  'refresh_token',
] as const

export type GrantName = (typeof GRANT_CHOICES)[number]

export const findGrantName = (grantType: string | undefined): GrantName | undefined =>
  GRANT_NAMES.get(grantType ?? '')

/** The refusals of log-ins that a plan may name, with the text that the vendor sends. */
export const OAUTH_ERRORS = {
  invalid_app_access: 'user is not admin approved to access this app',
  invalid_client: 'invalid client credentials',
  invalid_client_id: 'client identifier invalid',
  invalid_grant: 'authentication failure',
  invalid_request: 'invalid request',
  invalid_scope: 'the requested scope is not allowed',
  inactive_org: 'organization is inactive',
  inactive_user: 'user is inactive',
  OAUTH_APP_ACCESS_DENIED: 'user is not admin approved to access this app',
  OAUTH_APP_BLOCKED: 'this app is blocked by the administrator',
  OAUTH_EC_APP_NOT_FOUND: 'External client app is not installed in this org',
  rate_limit_exceeded: 'login rate exceeded',
  server_error: 'an unexpected error occurred',
  unsupported_grant_type: 'grant type not supported',
} as const

export type OAuthErrorName = keyof typeof OAUTH_ERRORS

/** Description of `invalid_grant` for each grant. */
const GRANT_TEXTS: Readonly<Record<GrantName, string>> = {
  authorization_code: 'expired authorization code',
  client_credentials: 'no client credentials user enabled',
  device: 'invalid device code',
  jwt_bearer: "user hasn't approved this consumer",
  password: 'authentication failure',
  refresh_token: 'expired access/refresh token',
}

export const getOAuthText = (error: OAuthErrorName, grant: GrantName | undefined): string =>
  error === 'invalid_grant' && grant !== undefined ? GRANT_TEXTS[grant] : OAUTH_ERRORS[error]

/** Returns the text in which an authorization request is refused. */
export const getAuthorizeText = (error: OAuthErrorName): string =>
  error === 'OAUTH_APP_BLOCKED' ? 'this app is blocked by admin' : OAUTH_ERRORS[error]
