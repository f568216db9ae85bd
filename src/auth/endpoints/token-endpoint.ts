import { startDeviceFlow } from '../grants/device.ts'
import type { Grant, TokenAnswer, TokenRequest } from '../grants/grant.ts'
import { GRANTS } from '../grants/registry.ts'
import { unsupportedGrant } from '../grants/require.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { clientCredentialsIn } from './client-credentials-in.ts'
import { countTokenErrors } from './count-token-errors.ts'

/** What a request to the token endpoint works with, whatever it asks for. */
export type TokenSurroundings = Omit<TokenRequest, 'parameters' | 'clientId' | 'clientSecret'>

/** A device begins here too: it names no grant yet. (docs/reference/api/tokens.md#device-flow) */
function grantOf(parameters: ReadonlyMap<string, string>): Grant {
  if (parameters.get('response_type') === 'device_code') return startDeviceFlow
  const type = parameters.get('grant_type')
  if (type === undefined) throw new OAuthError('invalid_request', 'missing required parameter: grant_type')
  const grant = GRANTS.get(type)
  if (grant === undefined) throw unsupportedGrant()
  return grant
}

/**
 * The token endpoint: the grant, the client as it says that it is, then the grant itself. (docs/reference/api/tokens.md#grants)
 * @param parameters of the form
 * @throws OAuthError
 */
export async function answerTokenRequest(
  parameters: ReadonlyMap<string, string>,
  authorization: string | undefined,
  surroundings: TokenSurroundings,
): Promise<TokenAnswer> {
  const credentials = clientCredentialsIn(parameters, authorization)
  return countTokenErrors(surroundings, credentials.clientId, async () =>
    grantOf(parameters)({ ...surroundings, ...credentials, parameters }),
  )
}
