import { OAuthError } from './oauth-error.ts'

/** Longer than any valid code, token or assertion. */
const MAX_VALUE_LENGTH = 32_768

/**
 * The parameters of a request. Repeated parameters are refused, as OAuth requires.
 * @throws OAuthError invalid_request
 */
export function singleParameters(form: Iterable<readonly [string, string]>): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of form) {
    const shown = name.slice(0, 100).toWellFormed()
    if (parameters.has(name)) {
      throw new OAuthError('invalid_request', `parameter stands more than once: ${shown}`)
    }
    if (value.length > MAX_VALUE_LENGTH)
      throw new OAuthError('invalid_request', `parameter is too long: ${shown}`)
    parameters.set(name, value)
  }
  return parameters
}
