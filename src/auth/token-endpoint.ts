import type { Grant, TokenRequest } from './grants/grant.ts'
import { GRANTS } from './grants/registry.ts'
import { OAuthError } from './oauth-error.ts'

export type TokenSurroundings = Pick<TokenRequest, 'db' | 'sessions' | 'clock' | 'originOf'>

/** A parameter that stands twice is refused, as OAuth demands. */
function singleParameters(form: URLSearchParams): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of form) {
    if (parameters.has(name))
      throw new OAuthError('invalid_request', `parameter stands more than once: ${name}`)
    parameters.set(name, value)
  }
  return parameters
}

/** Client id and secret from `Authorization: Basic`, where both are form-encoded. */
function basicCredentials(header: string | undefined): [string, string] | undefined {
  const match = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(header ?? '')
  if (match === null) return undefined
  const text = Buffer.from(match[1]!, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    return [decode(text.slice(0, colon)), decode(text.slice(colon + 1))]
  } catch {
    return undefined
  }
}

function grantOf(parameters: ReadonlyMap<string, string>): Grant {
  const type = parameters.get('grant_type')
  if (type === undefined) throw new OAuthError('invalid_request', 'missing required parameter: grant_type')
  const grant = GRANTS.get(type)
  if (grant === undefined) throw new OAuthError('unsupported_grant_type', 'grant type not supported')
  return grant
}

/**
 * The token endpoint: parameters, grant, client, then the grant itself. (contract/auth 3)
 * @throws OAuthError
 */
export async function answerTokenRequest(
  form: URLSearchParams,
  authorization: string | undefined,
  surroundings: TokenSurroundings,
) {
  const parameters = singleParameters(form)
  const grant = grantOf(parameters)
  const [basicId, basicSecret] = basicCredentials(authorization) ?? []
  return grant({
    ...surroundings,
    parameters,
    clientId: parameters.get('client_id') ?? basicId,
    clientSecret: parameters.get('client_secret') ?? basicSecret,
  })
}
