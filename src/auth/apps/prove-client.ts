import { type Clock, secondsNow } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { SecretBox } from '../keys/secret-box.ts'
import { type ConnectedApp, isPublicClient } from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { isSameSecret } from '../oauth/token-text.ts'

/** Dependencies of client authentication. */
export interface Proving {
  readonly db: Db
  readonly secrets: SecretBox
  readonly clock: Clock
}

/** The valid secrets: the newest, and for some time the previous one. */
function liveSecrets({ secrets }: ConnectedApp, box: SecretBox, now: number): string[] {
  const { secret, oldSecret, oldSecretUntil } = secrets
  const isOldLive = oldSecret !== null && oldSecretUntil !== null && now < oldSecretUntil
  return [...(secret === null ? [] : [secret]), ...(isOldLive ? [oldSecret] : [])].map((sealed) =>
    box.open(sealed),
  )
}

/** Compares every valid secret, so that the time does not show which one matches. */
function matches({ secrets, clock }: Proving, app: ConnectedApp, given: string): boolean {
  const hits = liveSecrets(app, secrets, secondsNow(clock)).filter((secret) => isSameSecret(secret, given))
  return hits.length > 0
}

/**
 * Checks the client secret of a request. A secret that is not required is checked too: a wrong one shows a mistake.
 * @throws OAuthError invalid_client
 */
export async function proveClient(
  proving: Proving,
  app: ConnectedApp,
  given: string | undefined,
  isNeeded = true,
): Promise<void> {
  const isGiven = given !== undefined && given !== ''
  if (!isGiven && (!isNeeded || isPublicClient(app))) return
  if (isGiven && matches(proving, app, given)) return
  throw new OAuthError('invalid_client', 'invalid client credentials')
}

/** The key of a token response's signature: the secret that the client sent, else its newest. */
export function signingSecret({ secrets }: ConnectedApp, box: SecretBox, given: string | undefined): string {
  if (given !== undefined && given !== '') return given
  return secrets.secret === null ? '' : box.open(secrets.secret)
}
