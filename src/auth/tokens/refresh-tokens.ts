import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ConnectedApp } from '../oauth/connected-app.ts'
import { hashToken, makeRefreshToken } from '../oauth/token-text.ts'
import { refreshTokenSql } from './refresh-tokens.sql.ts'

export interface RefreshToken {
  readonly tokenHash: string
  /** Links all tokens of one approval, which are revoked together. */
  readonly family: string
  readonly clientId: string
  readonly org: Org
  readonly userId: string
  readonly scopes: readonly string[]
  /** When the first token of its family was issued, in seconds since 1970. */
  readonly issuedAt: number
  readonly lastUsedAt: number
  /** When another token replaced it; null if none has. */
  readonly retiredAt: number | null
}

/** Issues a refresh token; only its hash is stored. */
export async function issueRefreshToken(
  db: Db,
  now: number,
  token: Pick<RefreshToken, 'family' | 'clientId' | 'org' | 'userId' | 'scopes'> & {
    readonly issuedAt?: number
  },
): Promise<string> {
  const { org, issuedAt = now, family, clientId, userId, scopes } = token
  const text = makeRefreshToken()
  const kept = { family, clientId, userId, scopes, orgId: org.id, issuedAt, lastUsedAt: now }
  await db.query(refreshTokenSql.insert({ ...kept, tokenHash: hashToken(text) }))
  return text
}

/** Finds a refresh token, even if retired or expired; undefined if it was never issued, or was revoked. */
export async function findRefreshToken(db: Db, token: string): Promise<RefreshToken | undefined> {
  type TokenRow = Omit<RefreshToken, 'org'> & { orgId: string; schemaName: string; orgName: string }
  const [row] = await db.query<TokenRow>(refreshTokenSql.find(hashToken(token)))
  if (row === undefined) return undefined
  const { orgId, schemaName, orgName, ...found } = row
  return { ...found, org: { id: orgId, schemaName, name: orgName } }
}

/** Returns false if it was revoked meanwhile. */
export async function markUsed(db: Db, { tokenHash }: RefreshToken, now: number): Promise<boolean> {
  const [used] = await db.query(refreshTokenSql.use(tokenHash, now))
  return used !== undefined
}

/** Retires a token in favor of the next one of its family. Returns false if a concurrent request was faster. */
export async function retireToken(db: Db, { tokenHash }: RefreshToken, now: number): Promise<boolean> {
  const [retired] = await db.query(refreshTokenSql.retire(tokenHash, now))
  return retired !== undefined
}

type Policy = Pick<ConnectedApp, 'refreshTokenPolicy' | 'refreshTokenHours'>
type Times = Pick<RefreshToken, 'issuedAt' | 'lastUsedAt'>

/**
 * When a token expires by the policy of its app, in seconds since 1970; undefined if it does not. With a policy in hours
 * but no number of hours it expires at once. (docs/reference/api/tokens.md#refresh)
 */
export function endOfRefresh(
  { refreshTokenPolicy, refreshTokenHours }: Policy,
  times: Times,
): number | undefined {
  const life = (refreshTokenHours ?? 0) * 3600
  switch (refreshTokenPolicy) {
    case 'UntilRevoked':
      return undefined
    case 'Immediately':
      return times.issuedAt
    case 'AfterHours':
      return times.issuedAt + life
    case 'AfterUnusedHours':
      return times.lastUsedAt + life
  }
}
