import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { connectedAppSql } from './connected-apps.sql.ts'
import { hashSecret } from './secret-hash.ts'

/** An application that may ask for tokens. */
export interface ConnectedApp {
  readonly clientId: string
  readonly org: Org
  readonly clientSecretHash: string
  readonly scopes: readonly string[]
  /** In whose name client credentials work; null: that flow is off. */
  readonly runAsUserId: string | null
}

interface AppSettings {
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
  readonly runAsUserId: string | null
}

export async function createConnectedApp(db: Db, org: Org, settings: AppSettings): Promise<void> {
  const { clientSecret, ...rest } = settings
  const clientSecretHash = await hashSecret(clientSecret)
  await db.query(connectedAppSql.insert({ ...rest, orgId: org.id, clientSecretHash }))
}

export async function findConnectedApp(db: Db, clientId: string): Promise<ConnectedApp | undefined> {
  // A text of the database cannot hold this character, so no app has it.
  if (clientId.includes('\0')) return undefined
  type AppRow = Omit<ConnectedApp, 'org'> & { orgId: string; schemaName: string; orgName: string }
  const [row] = await db.query<AppRow>(connectedAppSql.findByClientId(clientId))
  if (row === undefined) return undefined
  const { orgId, schemaName, orgName, ...app } = row
  return { ...app, org: { id: orgId, schemaName, name: orgName } }
}
