import { type ConnectedApp, refuseBlocked } from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { findApp } from './find-app.ts'
import { type Proving, proveClient } from './prove-client.ts'

/** Client id and secret of a request. */
interface ClientCredentials {
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
}

/**
 * The app of a request after client authentication. Only an authenticated app learns that it is blocked.
 * @param needsSecret whether an app that has a secret must send it; undefined: the app must have one and send it
 * @throws OAuthError
 */
export async function provenClient(
  proving: Proving,
  { clientId, clientSecret }: ClientCredentials,
  needsSecret?: (app: ConnectedApp) => boolean,
): Promise<ConnectedApp> {
  if (clientId === undefined || clientId === '') {
    throw new OAuthError('invalid_request', 'missing required parameter: client_id')
  }
  const app = await findApp(proving.db, clientId)
  if (app === undefined) throw new OAuthError('invalid_client_id', 'client identifier invalid')
  if (needsSecret === undefined && (clientSecret === undefined || clientSecret === '')) {
    throw new OAuthError('invalid_client', 'invalid client credentials')
  }
  await proveClient(proving, app, clientSecret, needsSecret === undefined || needsSecret(app))
  refuseBlocked(app)
  return app
}
