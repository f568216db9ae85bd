import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type LineEnd, sessionSql } from './sessions.sql.ts'

/** A session as stored in the database. */
interface StoredSession {
  readonly org: Org
  readonly clientId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly grantType: string
  readonly idleSeconds: number
  /** Seconds since 1970. */
  readonly issuedAt: number
  lastUsedAt: number
  /** When the tokens above it expire; null: there are none. */
  readonly ends: readonly LineEnd[] | null
}

/**
 * True if a token was issued under another one, or in a browser session that one opened: it may do nothing that outlives
 * that one.
 * @param hash the hash of the token
 */
export async function hasParent(db: Db, hash: string): Promise<boolean> {
  const [row] = await db.query<{ hasParent: boolean }>(sessionSql.hasParent(hash))
  return row?.hasParent === true
}

/** @param hash the hash of the token */
export async function findStoredSession(db: Db, hash: string): Promise<StoredSession | undefined> {
  type SessionRow = Omit<StoredSession, 'org'> & { orgId: string; schemaName: string; orgName: string }
  const [row] = await db.query<SessionRow>(sessionSql.find(hash))
  if (row === undefined) return undefined
  const { orgId, schemaName, orgName, ...session } = row
  return { ...session, org: Object.freeze({ id: orgId, schemaName, name: orgName }) }
}
