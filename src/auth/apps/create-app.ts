import type { Db } from '../../storage/database/db.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { RecordIds } from '../../storage/orgs/record-ids.ts'
import type { SecretBox } from '../keys/secret-box.ts'
import { type AppSettings, DEFAULT_SETTINGS } from '../oauth/connected-app.ts'
import { makeRow } from './app-row.ts'
import { appSql } from './apps.sql.ts'
import { registerClient } from './register-client.ts'

/** Key prefix of the object `ConnectedApplication`. */
const KEY_PREFIX = '0H4'

export interface NewApp extends Partial<AppSettings> {
  readonly name: string
  readonly clientId: string
  /** Absent for a public client. */
  readonly clientSecret?: string
}

/** Audit data of a new record, and the source of its id. */
interface Maker {
  readonly userId: string
  readonly now: Date
  readonly ids: RecordIds
}

/** Creates the record of an app whose client exists already. */
export async function insertAppRecord(
  db: Db,
  org: Org,
  { clientId, clientSecret, ...settings }: NewApp,
  { userId, now, ids }: Maker,
): Promise<string> {
  const id = await ids.make(KEY_PREFIX, db)
  const values = makeRow({ ...DEFAULT_SETTINGS, ...settings })
  await db.query(appSql.insertRecord(org, { id, clientId, values, userId, timestamp: makeTimestamp(now) }))
  return id
}

/**
 * Creates an app: its record in the org, and the client with its secret.
 * @returns the id of the record
 * @throws ApiError DUPLICATE_VALUE if any org has a client with this id
 */
export function createApp(db: Db, secrets: SecretBox, org: Org, app: NewApp, maker: Maker): Promise<string> {
  return db.transaction(async (tx) => {
    const { clientId, clientSecret } = app
    await registerClient(tx, org, clientId, clientSecret === undefined ? null : secrets.seal(clientSecret))
    return insertAppRecord(tx, org, app, maker)
  })
}
