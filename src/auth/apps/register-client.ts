import { ApiError } from '../../base/api-error.ts'
import type { Db } from '../../storage/db.ts'
import type { Org } from '../../storage/org.ts'
import { appSql } from './apps.sql.ts'
import { PLATFORM_CLI } from './connected-app.ts'

/**
 * Makes a client known to the token endpoint. Without a secret it is a public one until a secret is made.
 * @param sealed its secret
 * @throws ApiError DUPLICATE_VALUE when there is a client of that id, in whatever org
 */
export async function registerClient(
  db: Db,
  org: Org,
  clientId: string,
  sealed: string | null = null,
): Promise<void> {
  const [made] =
    clientId === PLATFORM_CLI.clientId ? [] : await db.query(appSql.insertClient(org, clientId, sealed))
  if (made === undefined) {
    throw new ApiError('DUPLICATE_VALUE', 'There is a client with this consumer key already', {
      fields: ['ConsumerKey'],
    })
  }
}
