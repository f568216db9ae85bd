import { createApp } from '../../src/auth/apps/create-app.ts'
import type { AppSettings } from '../../src/auth/oauth/connected-app.ts'
import { makeClientId } from '../../src/auth/oauth/token-text.ts'
import { systemClock } from '../../src/base/clock.ts'
import { RecordIds } from '../../src/storage/orgs/record-ids.ts'
import type { TestOrg } from './org.ts'
import { SECRETS } from './secrets.ts'

type Where = Pick<TestOrg, 'db' | 'org' | 'userId'>

/**
 * An app of the org.
 * @param clientSecret undefined makes a public client
 * @returns its client id
 */
export async function makeApp(
  { db, org, userId }: Where,
  settings: Partial<AppSettings> = {},
  clientSecret: string | undefined = 's',
): Promise<string> {
  const clientId = makeClientId()
  const app = { name: 'App', scopes: ['api'], ...settings, clientId, clientSecret }
  await createApp(db, SECRETS, org, app, { userId, now: systemClock(), ids: new RecordIds(org, db) })
  return clientId
}

/** The same without a secret. */
export async function makePublicApp(where: Where, settings: Partial<AppSettings> = {}): Promise<string> {
  const { db, org, userId } = where
  const clientId = makeClientId()
  const app = { name: 'Public app', scopes: ['api'], ...settings, clientId }
  await createApp(db, SECRETS, org, app, { userId, now: systemClock(), ids: new RecordIds(org, db) })
  return clientId
}
