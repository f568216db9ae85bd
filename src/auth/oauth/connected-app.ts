import type { Org } from '../../storage/orgs/org.ts'

/** What an administrator sets on a connected app: the fields of its record. (docs/reference/api/tokens.md#apps) */
export interface AppSettings {
  readonly name: string
  readonly description: string | null
  /** A request must name one of them exactly. */
  readonly callbackUrls: readonly string[]
  readonly scopes: readonly string[]
  readonly permittedUsers: 'SelfAuthorize' | 'AdminApproved'
  readonly enableClientCredentials: boolean
  /** In whose name client credentials work. */
  readonly runAsUserId: string | null
  readonly enableJwtBearer: boolean
  /** X.509 certificates in PEM, one after the other. */
  readonly certificates: string | null
  readonly enableDeviceFlow: boolean
  readonly requireSecretForWebFlow: boolean
  readonly requireSecretForRefresh: boolean
  readonly requirePkce: boolean
  readonly refreshTokenPolicy: 'UntilRevoked' | 'Immediately' | 'AfterHours' | 'AfterUnusedHours'
  readonly refreshTokenHours: number | null
  readonly rotateRefreshTokens: boolean
  /** How long a token lives after its last use; null: as the server's setting says. */
  readonly sessionMinutes: number | null
  /** How many calls of the org's allocation it may make in 24 hours; null: as many as there are. */
  readonly dailyCallBudget: number | null
  readonly introspectAll: boolean
  readonly isBlocked: boolean
}

/** What a client proves itself with. No secret at all: it is a public client. */
export interface ClientSecrets {
  /** Sealed. */
  readonly secret: string | null
  /** Sealed; the one before, which is still taken for a while. */
  readonly oldSecret: string | null
  /** Seconds since 1970. */
  readonly oldSecretUntil: number | null
  /** Of a client from before secrets were sealed, until it comes for the first time. */
  readonly secretHash: string | null
}

/** An application that may ask for tokens. */
export interface ConnectedApp extends AppSettings {
  readonly clientId: string
  /** Undefined: built in, and so at home in every org. */
  readonly org: Org | undefined
  /** Id of its record; undefined: built in. */
  readonly id: string | undefined
  readonly secrets: ClientSecrets
}

/** What an app is set to when nothing else is said. */
export const USUAL_SETTINGS: Omit<AppSettings, 'name'> = {
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

/** The client of the sf CLI's log-in in a browser; it has no secret. (docs/reference/api/tokens.md#apps) */
export const PLATFORM_CLI: ConnectedApp = {
  ...USUAL_SETTINGS,
  name: 'Platform CLI',
  clientId: 'PlatformCLI',
  org: undefined,
  id: undefined,
  callbackUrls: ['http://localhost:1717/OauthRedirect'],
  scopes: ['refresh_token', 'api', 'web'],
  secrets: { secret: null, oldSecret: null, oldSecretUntil: null, secretHash: null },
}

/** Whether anybody may come in the app's name: it has no secret. */
export const isPublicClient = ({ secrets }: ConnectedApp) =>
  secrets.secret === null && secrets.secretHash === null
