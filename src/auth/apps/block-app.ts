import type { Db } from '../../storage/db.ts'
import { momentOf } from '../../storage/moment.sql.ts'
import type { Org } from '../../storage/org.ts'
import { revokeClient } from '../revoke.ts'
import { appSql } from './apps.sql.ts'

/** Shuts an app out, and takes away all tokens that it has; or lets it in again. */
export function blockApp(
  db: Db,
  org: Org,
  clientId: string,
  isBlocked: boolean,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(appSql.setBlocked(org, clientId, isBlocked, userId, momentOf(now)))
    if (isBlocked) await revokeClient(tx, org, clientId)
  })
}
