/** An error of the OAuth doors: its own shape, and 400 whatever is wrong. (contract/auth 3) */
export class OAuthError extends Error {
  readonly error: string
  readonly description: string

  constructor(error: string, description: string) {
    super(`${error}: ${description}`)
    this.error = error
    this.description = description
  }
}
