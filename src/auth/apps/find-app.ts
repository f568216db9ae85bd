import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import {
  type AppSettings,
  type ClientSecrets,
  CONSOLE_APP,
  type ConnectedApp,
  PLATFORM_CLI,
  refuseBlocked,
} from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { readSettings } from './app-row.ts'
import { type AppRow, appSql } from './apps.sql.ts'

type FoundRow = AppRow & { readonly id: string }

/** The console as an org has it; undefined: its record there is deleted. */
async function findConsole(db: Db, org: Org): Promise<ConnectedApp | undefined> {
  const [row] = await db.query<FoundRow>(appSql.findRecord(org, CONSOLE_APP.clientId))
  if (row === undefined) return undefined
  const { name, permittedUsers, sessionMinutes, dailyCallBudget, isBlocked, ...settings } = readSettings(row)
  const { description, refreshTokenPolicy, refreshTokenHours, rotateRefreshTokens } = settings
  return {
    ...CONSOLE_APP,
    ...{ org, id: row.id, name, description, permittedUsers, sessionMinutes, dailyCallBudget, isBlocked },
    ...{ refreshTokenPolicy, refreshTokenHours, rotateRefreshTokens },
  }
}

/**
 * An app as the org of a grant has it: a built-in one may have settings in each org.
 * @throws OAuthError if the org does not have it, or has blocked it
 */
export async function findAppInOrg(db: Db, app: ConnectedApp, org: Org): Promise<ConnectedApp> {
  if (app.clientId !== CONSOLE_APP.clientId) return app
  const found = await findConsole(db, org)
  if (found === undefined) throw new OAuthError('invalid_client_id', 'client identifier invalid')
  refuseBlocked(found)
  return found
}

/**
 * Finds an app by its client id. An app whose record is deleted is not found; callers must check whether it is blocked.
 * @param org whose console is meant; undefined: what all orgs have of it
 */
export async function findApp(db: Db, clientId: string, org?: Org): Promise<ConnectedApp | undefined> {
  if (clientId === PLATFORM_CLI.clientId) return PLATFORM_CLI
  if (clientId === CONSOLE_APP.clientId) return org === undefined ? CONSOLE_APP : findConsole(db, org)
  // PostgreSQL text cannot contain this character, so no app matches.
  if (clientId.includes('\0')) return undefined
  type ClientRow = ClientSecrets & { orgId: string; schemaName: string; orgName: string }
  const [client] = await db.query<ClientRow>(appSql.findClient(clientId))
  if (client === undefined) return undefined
  const { orgId, schemaName, orgName, secret, oldSecret, oldSecretUntil } = client
  const owner: Org = Object.freeze({ id: orgId, schemaName, name: orgName })
  const [row] = await db.query<FoundRow>(appSql.findRecord(owner, clientId))
  if (row === undefined) return undefined
  return {
    ...readSettings(row),
    clientId,
    org: owner,
    id: row.id,
    secrets: { secret, oldSecret, oldSecretUntil },
  }
}

/** Maximum number of calls of an app in 24 hours; undefined: no limit but the org's. */
export async function findBudget(db: Db, org: Org, clientId: string): Promise<number | undefined> {
  const [app] = await db.query<{ budget: number | null }>(appSql.budget(org, clientId))
  return app?.budget ?? undefined
}

/** Client ids of those of the records that are blocked or deleted apps. */
export async function findBlockedClients(db: Db, org: Org, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ clientId: string }>(appSql.blockedAmong(org, ids))
  return rows.map(({ clientId }) => clientId)
}

export interface ListedApp extends AppSettings {
  readonly id: string
  readonly clientId: string
  readonly hasSecret: boolean
}

/**
 * The apps of an org, oldest first, and the console. A copy of an org has records of apps whose clients belong to the original org; these
 * give no access to the copy.
 */
export async function listApps(db: Db, org: Org): Promise<ListedApp[]> {
  const rows = await db.query<AppRow & { id: string; clientId: string }>(
    appSql.list(org, CONSOLE_APP.clientId),
  )
  const clients = await db.query<{ clientId: string; hasSecret: boolean }>(appSql.clients(org))
  const secrets = new Map(clients.map(({ clientId, hasSecret }) => [clientId, hasSecret]))
  secrets.set(CONSOLE_APP.clientId, false)
  return rows.flatMap((row) => {
    const { id, clientId } = row
    const hasSecret = secrets.get(clientId)
    return hasSecret === undefined ? [] : [{ ...readSettings(row), id, clientId, hasSecret }]
  })
}
