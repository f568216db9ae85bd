import { startDeviceFlow } from '../grants/device.ts'
import type { Grant, TokenAnswer, TokenRequest } from '../grants/grant.ts'
import { GRANTS } from '../grants/registry.ts'
import { unsupportedGrant } from '../grants/require.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { clientCredentialsIn } from './client-credentials-in.ts'
import { countTokenErrors } from './count-token-errors.ts'

/** The data and services of a token request that do not depend on its grant. */
export type GrantServices = Omit<TokenRequest, 'parameters' | 'clientId' | 'clientSecret'>

/** A request without a grant type starts a device flow. (docs/reference/api/tokens.md#device-flow) */
function findGrant(parameters: ReadonlyMap<string, string>): Grant {
  if (parameters.get('response_type') === 'device_code') return startDeviceFlow
  const type = parameters.get('grant_type')
  if (type === undefined) throw new OAuthError('invalid_request', 'missing required parameter: grant_type')
  const grant = GRANTS.get(type)
  if (grant === undefined) throw unsupportedGrant()
  return grant
}

/**
 * The token endpoint: finds the grant, reads the client credentials, and runs the grant. (docs/reference/api/tokens.md#grants)
 * @param parameters of the form
 * @throws OAuthError
 */
export async function answerTokenRequest(
  parameters: ReadonlyMap<string, string>,
  authorization: string | undefined,
  services: GrantServices,
): Promise<TokenAnswer> {
  const credentials = clientCredentialsIn(parameters, authorization)
  return countTokenErrors(services, credentials.clientId, async () =>
    findGrant(parameters)({ ...services, ...credentials, parameters }),
  )
}
