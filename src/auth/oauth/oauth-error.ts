/** An error of the OAuth doors: its own shape, and 400 whatever is wrong. (docs/reference/api/tokens.md#errors-of-the-token-endpoint) */
export class OAuthError extends Error {
  readonly error: string
  readonly description: string
  /** Seconds after which the client may ask again: then it is 429. */
  readonly retryAfterSeconds: number | undefined

  constructor(error: string, description: string, retryAfterSeconds?: number) {
    super(`${error}: ${description}`)
    this.error = error
    this.description = description
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The client was refused, or began, too often. */
export const rateExceeded = (seconds: number) =>
  new OAuthError('rate_limit_exceeded', 'login rate exceeded', seconds)
