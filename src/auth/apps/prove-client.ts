import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type Clock, secondsNow } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { SecretBox } from '../keys/secret-box.ts'
import { type ConnectedApp, isPublicClient } from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { isSameSecret } from '../oauth/token-text.ts'
import { appSql } from './apps.sql.ts'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const KEY_BYTES = 32

/** True if a secret has the hash that versions before encryption stored of it. Takes the same time for every wrong secret. */
async function secretMatches(secret: string, hash: string): Promise<boolean> {
  const [salt, key] = hash.split('.').map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer]
  return timingSafeEqual(await derive(secret, salt, KEY_BYTES), key)
}

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

/** A client from before secrets were encrypted sends its secret, which is then stored, also as the key of its signatures. */
async function sealFirstSecret(
  { db, secrets }: Proving,
  { clientId }: ConnectedApp,
  hash: string,
  secret: string,
): Promise<void> {
  await db.query(appSql.sealSecret(clientId, hash, secrets.seal(secret)))
}

async function matches(proving: Proving, app: ConnectedApp, given: string): Promise<boolean> {
  const { secret: newest, secretHash, oldSecretUntil } = app.secrets
  // Every valid secret is compared, so that the time does not show which one matches.
  const now = secondsNow(proving.clock)
  const hits = liveSecrets(app, proving.secrets, now).filter((secret) => isSameSecret(secret, given))
  if (hits.length > 0) return true
  const isHashLive = secretHash !== null && (newest === null || now < (oldSecretUntil ?? 0))
  if (!isHashLive || !(await secretMatches(given, secretHash))) return false
  if (newest === null) await sealFirstSecret(proving, app, secretHash, given)
  return true
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
  if (isGiven && (await matches(proving, app, given))) return
  throw new OAuthError('invalid_client', 'invalid client credentials')
}

/** The key of a token response's signature: the secret that the client sent, else its newest. */
export function signingSecret({ secrets }: ConnectedApp, box: SecretBox, given: string | undefined): string {
  if (given !== undefined && given !== '') return given
  return secrets.secret === null ? '' : box.open(secrets.secret)
}
