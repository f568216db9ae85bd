import type { Db } from '../../storage/database/db.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { SecretBox } from '../keys/secret-box.ts'
import { makeClientSecret } from '../oauth/token-text.ts'
import { revokeClient } from '../tokens/revoke.ts'
import { appSql } from './apps.sql.ts'

/** Default time that the previous secret remains valid, in seconds. */
export const OLD_SECRET_SECONDS = 24 * 3600

/**
 * Gives an app a new secret. The old one remains valid for some time, so that clients can switch one after the other.
 * @param overlap seconds that the old one remains valid; 0: it ends now
 * @returns undefined if the org has no such client
 */
export async function rotateSecret(
  db: Db,
  secrets: SecretBox,
  org: Org,
  clientId: string,
  now: Date,
  overlap = OLD_SECRET_SECONDS,
): Promise<string | undefined> {
  const secret = makeClientSecret()
  const until = overlap === 0 ? null : now.getTime() / 1000 + overlap
  const [rotated] = await db.query(appSql.rotate(org, clientId, secrets.seal(secret), until))
  return rotated && secret
}

/** Blocks an app and revokes all its tokens, or unblocks it. */
export function blockApp(
  db: Db,
  org: Org,
  clientId: string,
  isBlocked: boolean,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(appSql.setBlocked(org, clientId, isBlocked, userId, makeTimestamp(now)))
    if (isBlocked) await revokeClient(tx, org, clientId)
  })
}
