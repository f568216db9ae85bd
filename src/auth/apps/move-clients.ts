import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { RecordIds } from '../../storage/orgs/record-ids.ts'
import { findAdministrator } from '../users/users.ts'
import { appSql } from './apps.sql.ts'
import { insertAppRecord } from './create-app.ts'

interface OldClient {
  readonly clientId: string
  readonly name: string
  readonly scopes: readonly string[] | null
  readonly runAsUserId: string | null
}

/** Creates a record for each client from before apps were records; secrets stay as they were. */
export async function moveClients(db: Db, org: Org, now: Date): Promise<void> {
  const clients = await db.query<OldClient>(appSql.withoutRecord(org))
  if (clients.length === 0) return
  const ids = new RecordIds(org, db)
  const administrator = await findAdministrator(db, org)
  for (const { clientId, name, scopes, runAsUserId } of clients) {
    const [there] = await db.query(appSql.findRecord(org, clientId))
    const settings = { scopes: scopes ?? [], enableClientCredentials: true, runAsUserId }
    const userId = runAsUserId ?? administrator?.id ?? org.id
    if (there === undefined) {
      await insertAppRecord(db, org, { name, clientId, ...settings }, { userId, now, ids })
    }
    await db.query(appSql.forgetSettings(clientId))
  }
}
