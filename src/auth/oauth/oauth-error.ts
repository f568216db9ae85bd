/** An error of the OAuth endpoints: it has its own format, and status 400 by default. (docs/reference/api/tokens.md#errors-of-the-token-endpoint) */
export class OAuthError extends Error {
  readonly error: string
  readonly description: string
  /** Seconds after which the client may retry; sets the status to 429. */
  readonly retryAfterSeconds: number | undefined

  constructor(error: string, description: string, retryAfterSeconds?: number) {
    super(`${error}: ${description}`)
    this.error = error
    this.description = description
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Every refusal is 400, unless the client is to wait. */
export const getOAuthStatus = ({ retryAfterSeconds }: OAuthError): number =>
  retryAfterSeconds === undefined ? 400 : 429

/** The client was refused too often, or started too many device flows. */
export const rateExceeded = (seconds: number) =>
  new OAuthError('rate_limit_exceeded', 'login rate exceeded', seconds)

/** For a browser session that ends while its user approves something. */
export const sessionEnded = () => new OAuthError('access_denied', 'the session has ended')
