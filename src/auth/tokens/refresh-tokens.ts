import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ConnectedApp } from '../oauth/connected-app.ts'
import { hashToken, makeRefreshToken } from '../oauth/token-text.ts'
import { refreshTokenSql } from './refresh-tokens.sql.ts'

export interface RefreshToken {
  readonly tokenHash: string
  /** What all tokens of one agreement have in common: they are taken away together. */
  readonly family: string
  readonly clientId: string
  readonly org: Org
  readonly userId: string
  readonly scopes: readonly string[]
  /** When the first of its family was given, in seconds since 1970. */
  readonly issuedAt: number
  readonly lastUsedAt: number
  /** When another one took its place; null: it lives. */
  readonly retiredAt: number | null
}

/** Makes a refresh token; only its hash is stored. */
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

/** A refresh token, retired or not, expired or not; undefined: it was never given, or taken away. */
export async function findRefreshToken(db: Db, token: string): Promise<RefreshToken | undefined> {
  type TokenRow = Omit<RefreshToken, 'org'> & { orgId: string; schemaName: string; orgName: string }
  const [row] = await db.query<TokenRow>(refreshTokenSql.find(hashToken(token)))
  if (row === undefined) return undefined
  const { orgId, schemaName, orgName, ...found } = row
  return { ...found, org: { id: orgId, schemaName, name: orgName } }
}

/** False: it was taken away meanwhile. */
export async function markUsed(db: Db, { tokenHash }: RefreshToken, now: number): Promise<boolean> {
  const [used] = await db.query(refreshTokenSql.use(tokenHash, now))
  return used !== undefined
}

/** Ends a token for the next one of its family. False: another request was first. */
export async function retireToken(db: Db, { tokenHash }: RefreshToken, now: number): Promise<boolean> {
  const [retired] = await db.query(refreshTokenSql.retire(tokenHash, now))
  return retired !== undefined
}

type Policy = Pick<ConnectedApp, 'refreshTokenPolicy' | 'refreshTokenHours'>
type Times = Pick<RefreshToken, 'issuedAt' | 'lastUsedAt'>

/**
 * When a token ends by the policy of its app, in seconds since 1970; undefined: it does not. A policy with hours that
 * does not say how many ends at once. (docs/reference/api/tokens.md#refresh)
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
