import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { RecordIds } from '../../storage/orgs/record-ids.ts'
import { CONSOLE_APP } from '../oauth/connected-app.ts'
import { findAdministrator } from '../users/users.ts'
import { appSql } from './apps.sql.ts'
import { insertAppRecord } from './create-app.ts'

/** Gives an org the record of the console, unless it has or had one. */
export async function addConsoleApp(db: Db, org: Org, now: Date): Promise<void> {
  const { clientId, org: _org, id: _id, secrets: _secrets, ...settings } = CONSOLE_APP
  const [there] = await db.query(appSql.findAnyRecord(org, clientId))
  if (there !== undefined) return
  const userId = (await findAdministrator(db, org))?.id ?? org.id
  const maker = { userId, now, ids: new RecordIds(org, db) }
  await insertAppRecord(db, org, { ...settings, clientId }, maker)
}
