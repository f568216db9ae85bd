import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import {
  type AppSettings,
  type ClientSecrets,
  type ConnectedApp,
  PLATFORM_CLI,
} from '../oauth/connected-app.ts'
import { settingsOf } from './app-row.ts'
import { type AppRow, appSql } from './apps.sql.ts'

/** An app by its client id. One whose record is gone is unknown; whether it is blocked is for the caller to see. */
export async function findApp(db: Db, clientId: string): Promise<ConnectedApp | undefined> {
  if (clientId === PLATFORM_CLI.clientId) return PLATFORM_CLI
  // A text of the database cannot hold this character, so no app has it.
  if (clientId.includes('\0')) return undefined
  type ClientRow = ClientSecrets & { orgId: string; schemaName: string; orgName: string }
  const [client] = await db.query<ClientRow>(appSql.findClient(clientId))
  if (client === undefined) return undefined
  const { orgId, schemaName, orgName, secret, oldSecret, oldSecretUntil, secretHash } = client
  const org: Org = Object.freeze({ id: orgId, schemaName, name: orgName })
  const [row] = await db.query<AppRow & { id: string }>(appSql.findRecord(org, clientId))
  if (row === undefined) return undefined
  return {
    ...settingsOf(row),
    clientId,
    org,
    id: row.id,
    secrets: { secret, oldSecret, oldSecretUntil, secretHash },
  }
}

/** How many calls an app may make in 24 hours; undefined: as many as the org has. */
export async function findBudget(db: Db, org: Org, clientId: string): Promise<number | undefined> {
  const [app] = await db.query<{ budget: number | null }>(appSql.budget(org, clientId))
  return app?.budget ?? undefined
}

/** Which of the records, by their ids, are apps that were blocked or deleted: their client ids. */
export async function findShutClients(db: Db, org: Org, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ clientId: string }>(appSql.shut(org, ids))
  return rows.map(({ clientId }) => clientId)
}

export interface ListedApp extends AppSettings {
  readonly id: string
  readonly clientId: string
  readonly hasSecret: boolean
}

/**
 * The apps of an org, the oldest first. The copy of an org has records of apps whose clients are the other org's: they
 * open nothing here.
 */
export async function listApps(db: Db, org: Org): Promise<ListedApp[]> {
  const rows = await db.query<AppRow & { id: string; clientId: string }>(appSql.list(org))
  const clients = await db.query<{ clientId: string; hasSecret: boolean }>(appSql.clients(org))
  const secrets = new Map(clients.map(({ clientId, hasSecret }) => [clientId, hasSecret]))
  return rows.flatMap((row) => {
    const { id, clientId } = row
    const hasSecret = secrets.get(clientId)
    return hasSecret === undefined ? [] : [{ ...settingsOf(row), id, clientId, hasSecret }]
  })
}
