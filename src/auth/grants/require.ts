import { findApp } from '../apps/find-app.ts'
import type { ConnectedApp } from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import type { TokenRequest } from './grant.ts'

/** @throws OAuthError invalid_request if a parameter is absent or empty */
export function requireParameter({ parameters }: TokenRequest, name: string): string {
  const value = parameters.get(name)
  if (value === undefined || value === '') {
    throw new OAuthError('invalid_request', `missing required parameter: ${name}`)
  }
  return value
}

export const unsupportedGrant = () => new OAuthError('unsupported_grant_type', 'grant type not supported')

/** @throws OAuthError invalid_client_id */
export async function requireApp({ db }: TokenRequest, clientId: string): Promise<ConnectedApp> {
  const app = await findApp(db, clientId)
  if (app === undefined) throw new OAuthError('invalid_client_id', 'client identifier invalid')
  return app
}
