import { sql } from '../../src/base/sql.ts'
import type { Db } from '../../src/storage/database/db.ts'
import { until } from './until.ts'

/** As if the client had stayed away for too long. */
export async function makeAbsent(db: Db, clientId: string): Promise<void> {
  await db.query(sql`update objectry.stream_client set expires_at = now() where id = ${clientId}`)
}

/** Waits until a connect of the client has begun. */
export async function untilHeld(db: Db, clientId: string): Promise<void> {
  const held = sql`select from objectry.stream_client where id = ${clientId} and connect is not null`
  await until(async () => (await db.query(held)).length > 0)
}
