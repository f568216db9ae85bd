import { ApiError } from '../../base/api-error.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { BUILT_IN_CLIENTS } from '../oauth/connected-app.ts'
import { appSql } from './apps.sql.ts'

/**
 * Makes a client known to the token endpoint. Without a secret it is a public client until a secret is created.
 * @param sealed its encrypted secret
 * @throws ApiError DUPLICATE_VALUE if any org has a client with this id
 */
export async function registerClient(
  db: Db,
  org: Org,
  clientId: string,
  sealed: string | null = null,
): Promise<void> {
  const [made] = BUILT_IN_CLIENTS.includes(clientId)
    ? []
    : await db.query(appSql.insertClient(org, clientId, sealed))
  if (made === undefined) {
    throw new ApiError('DUPLICATE_VALUE', 'There is a client with this consumer key already', {
      fields: ['ConsumerKey'],
    })
  }
}
