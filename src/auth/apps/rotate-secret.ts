import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { SecretBox } from '../keys/secret-box.ts'
import { makeClientSecret } from '../oauth/token-text.ts'
import { appSql } from './apps.sql.ts'

/** How long the secret before is still taken, in seconds. */
export const OLD_SECRET_LIFE = 24 * 3600

/**
 * Gives an app a new secret; the old one is taken for a while, so that clients can change one after the other.
 * @param overlap seconds that the old one lives; 0: it ends now
 * @returns undefined when the org has no such client
 */
export async function rotateSecret(
  db: Db,
  secrets: SecretBox,
  org: Org,
  clientId: string,
  now: Date,
  overlap = OLD_SECRET_LIFE,
): Promise<string | undefined> {
  const secret = makeClientSecret()
  const until = overlap === 0 ? null : now.getTime() / 1000 + overlap
  const [rotated] = await db.query(appSql.rotate(org, clientId, secrets.seal(secret), until))
  return rotated && secret
}
