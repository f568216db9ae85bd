import type { Db } from '../../storage/database/db.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { revokeClient } from '../tokens/revoke.ts'
import { appSql } from './apps.sql.ts'

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
