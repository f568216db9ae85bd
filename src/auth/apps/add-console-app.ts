import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { RecordIds } from '../../storage/orgs/record-ids.ts'
import { CONSOLE_APP } from '../oauth/connected-app.ts'
import { insertAppRecord } from './create-app.ts'

/**
 * Gives a new org the record of the console.
 * @param userId who is its author
 */
export async function addConsoleApp(db: Db, org: Org, userId: string, now: Date): Promise<void> {
  const { clientId, org: _org, id: _id, secrets: _secrets, ...settings } = CONSOLE_APP
  await insertAppRecord(db, org, { ...settings, clientId }, { userId, now, ids: new RecordIds(org, db) })
}
