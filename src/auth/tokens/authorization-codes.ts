import { type Clock, secondsNow } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { sessionEnded } from '../oauth/oauth-error.ts'
import { hashToken, makeAuthorizationCode, makeFamily } from '../oauth/token-text.ts'
import { authorizationCodeSql } from './authorization-codes.sql.ts'

/** How long a code is valid. (docs/reference/api/tokens.md#code-exchange) */
export const CODE_SECONDS = 15 * 60

/** A user's approval in the browser. */
interface Approval {
  readonly clientId: string
  readonly org: Org
  readonly userId: string
  readonly scopes: readonly string[]
  /** The redirect URI as in the request. */
  readonly redirectUri: string
  /** Code challenge, always S256. */
  readonly challenge?: string | undefined
  readonly nonce?: string | undefined
  /** Undefined for a family of its own. */
  readonly family?: string | undefined
  /** Of the access token that opened the browser session; undefined: the user has logged in. */
  readonly accessTokenHash?: string | undefined
}

export interface AuthorizationCode {
  readonly codeHash: string
  /** Links all tokens of one approval, which are revoked together. */
  readonly family: string
  readonly clientId: string
  readonly org: Org
  readonly userId: string
  readonly scopes: readonly string[]
  readonly redirectUri: string
  readonly challenge: string | null
  readonly nonce: string | null
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly isUsed: boolean
  /** Of the access token that opened the browser session; null: the user has logged in. */
  readonly accessTokenHash: string | null
}

/**
 * Issues a code that can be exchanged for tokens once; only its hash is stored.
 * @param tx of `issuing`
 * @throws OAuthError access_denied when the access token is revoked meanwhile
 */
export async function issueCode(tx: Db, clock: Clock, approval: Approval): Promise<string> {
  const { org, challenge, nonce, accessTokenHash, family = makeFamily(), ...rest } = approval
  const code = makeAuthorizationCode()
  const [issued] = await tx.query(
    authorizationCodeSql.insert({
      ...rest,
      codeHash: hashToken(code),
      family,
      orgId: org.id,
      challenge: challenge ?? null,
      nonce: nonce ?? null,
      accessTokenHash: accessTokenHash ?? null,
      issuedAt: secondsNow(clock),
    }),
  )
  if (issued === undefined) throw sessionEnded()
  return code
}

/** Finds a code, even if used or expired; undefined if it was never issued. */
export async function findCode(db: Db, code: string): Promise<AuthorizationCode | undefined> {
  type CodeRow = Omit<AuthorizationCode, 'org'> & { orgId: string; schemaName: string; orgName: string }
  const [row] = await db.query<CodeRow>(authorizationCodeSql.find(hashToken(code)))
  if (row === undefined) return undefined
  const { orgId, schemaName, orgName, ...found } = row
  return { ...found, org: { id: orgId, schemaName, name: orgName } }
}

/** Marks a code as used. Returns false if a concurrent caller was faster. */
export async function useCode(db: Db, { codeHash }: AuthorizationCode, now: Date): Promise<boolean> {
  const [used] = await db.query(authorizationCodeSql.use(codeHash, now.getTime() / 1000))
  return used !== undefined
}
