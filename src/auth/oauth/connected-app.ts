import type { Org } from '../../storage/orgs/org.ts'
import { OAuthError } from './oauth-error.ts'

/** The settings of a connected app: the fields of its record. (docs/reference/api/tokens.md#apps) */
export interface AppSettings {
  readonly name: string
  readonly description: string | null
  /** A request must name one of them exactly. */
  readonly callbackUrls: readonly string[]
  readonly scopes: readonly string[]
  readonly permittedUsers: 'SelfAuthorize' | 'AdminApproved'
  readonly enableClientCredentials: boolean
  /** The user that client credentials run as. */
  readonly runAsUserId: string | null
  readonly enableJwtBearer: boolean
  /** Concatenated X.509 certificates in PEM. */
  readonly certificates: string | null
  readonly enableDeviceFlow: boolean
  readonly requireSecretForWebFlow: boolean
  readonly requireSecretForRefresh: boolean
  readonly requirePkce: boolean
  readonly refreshTokenPolicy: 'UntilRevoked' | 'Immediately' | 'AfterHours' | 'AfterUnusedHours'
  readonly refreshTokenHours: number | null
  readonly rotateRefreshTokens: boolean
  /** How long a token lives after its last use; null: the server's setting applies. */
  readonly sessionMinutes: number | null
  /** Maximum number of calls in 24 hours; null: no limit but the org's. */
  readonly dailyCallBudget: number | null
  readonly introspectAll: boolean
  readonly isBlocked: boolean
}

/** The secrets of a client. A client without any is a public client. */
export interface ClientSecrets {
  /** Encrypted. */
  readonly secret: string | null
  /** The previous secret, encrypted; it remains valid for some time. */
  readonly oldSecret: string | null
  /** Seconds since 1970. */
  readonly oldSecretUntil: number | null
}

/** An application that may request tokens. */
export interface ConnectedApp extends AppSettings {
  readonly clientId: string
  /** Undefined for a built-in app, which belongs to every org. */
  readonly org: Org | undefined
  /** Id of its record; undefined for a built-in app. */
  readonly id: string | undefined
  readonly secrets: ClientSecrets
}

/** The default settings of an app. */
export const DEFAULT_SETTINGS: Omit<AppSettings, 'name'> = {
  description: null,
  callbackUrls: [],
  scopes: [],
  permittedUsers: 'SelfAuthorize',
  enableClientCredentials: false,
  runAsUserId: null,
  enableJwtBearer: false,
  certificates: null,
  enableDeviceFlow: false,
  requireSecretForWebFlow: true,
  requireSecretForRefresh: true,
  requirePkce: false,
  refreshTokenPolicy: 'UntilRevoked',
  refreshTokenHours: null,
  rotateRefreshTokens: false,
  sessionMinutes: null,
  dailyCallBudget: null,
  introspectAll: false,
  isBlocked: false,
}

/** The public client of the sf CLI's log-in in a browser. (docs/reference/api/tokens.md#apps) */
export const PLATFORM_CLI: ConnectedApp = {
  ...DEFAULT_SETTINGS,
  name: 'Platform CLI',
  clientId: 'PlatformCLI',
  org: undefined,
  id: undefined,
  callbackUrls: ['http://localhost:1717/OauthRedirect'],
  scopes: ['refresh_token', 'api', 'web'],
  secrets: { secret: null, oldSecret: null, oldSecretUntil: null },
}

/**
 * The web console of this server. Every org has a record of it, which decides who may use it; what makes it a public client
 * with PKCE, at this server alone, does not change. (docs/reference/api/tokens.md#the-console)
 */
export const CONSOLE_APP = {
  ...DEFAULT_SETTINGS,
  name: 'Objectry Console',
  clientId: 'ObjectryConsole',
  org: undefined,
  id: undefined,
  scopes: ['api', 'web', 'openid', 'refresh_token'],
  requireSecretForWebFlow: false,
  requireSecretForRefresh: false,
  requirePkce: true,
  refreshTokenPolicy: 'AfterUnusedHours',
  refreshTokenHours: 12,
  rotateRefreshTokens: true,
  secrets: PLATFORM_CLI.secrets,
} as const satisfies ConnectedApp

/** True if the app belongs to this server, so that its users are not asked whether they trust it. */
export const isFirstParty = ({ clientId }: Pick<ConnectedApp, 'clientId'>) =>
  clientId === CONSOLE_APP.clientId

/** The client id of sessions that begin with a log-in by SOAP, which names no app. (docs/reference/api/soap.md#log-in) */
export const SOAP_CLIENT_ID = 'SoapLogin'

/** Client ids that no app of an org may have. */
export const BUILT_IN_CLIENTS: readonly string[] = [
  PLATFORM_CLI.clientId,
  CONSOLE_APP.clientId,
  SOAP_CLIENT_ID,
]

/** True if the app has no secret. */
export const isPublicClient = ({ secrets }: ConnectedApp) => secrets.secret === null

/** @throws OAuthError if the administrator has blocked the app */
export function refuseBlocked({ isBlocked }: Pick<ConnectedApp, 'isBlocked'>): void {
  if (isBlocked) throw new OAuthError('OAUTH_APP_BLOCKED', 'this app is blocked by the administrator')
}
