import { randomBytes } from 'node:crypto'
import { type Clock, secondsNow } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import { hashToken } from '../oauth/token-text.ts'
import { beginSessionOfToken } from './browser-sessions.ts'
import { singleAccessSql } from './single-access.sql.ts'

/** Where browsers begin sessions with a code. (docs/reference/api/tokens.md#single-access) */
export const SINGLE_ACCESS_PATH = '/secur/frontdoor.jsp'

/** How long an address that opens a browser session is valid. (docs/reference/api/tokens.md#single-access) */
const CODE_SECONDS = 60

/**
 * Makes a code by which a browser begins a session, once, with the rights of an access token; only its hash is stored.
 * @param startPath where the browser goes then: a path of this server
 * @returns undefined when the token is revoked
 */
export async function issueSingleAccess(
  db: Db,
  clock: Clock,
  accessToken: string,
  startPath: string,
): Promise<string | undefined> {
  const code = randomBytes(32).toString('base64url')
  const now = secondsNow(clock)
  await db.query(singleAccessSql.deleteOld(now))
  const [issued] = await db.query(
    singleAccessSql.insert({
      codeHash: hashToken(code),
      accessTokenHash: hashToken(accessToken),
      startPath,
      expiresAt: now + CODE_SECONDS,
    }),
  )
  return issued && code
}

/** A browser session that has begun. */
interface Begun {
  /** The value of its cookie. */
  readonly cookie: string
  readonly startPath: string
}

/**
 * Begins the session of a code.
 * @param orgId whose host it is; undefined: that of no org alone
 * @returns undefined when the code is unknown, used or expired, or its token revoked
 */
export function useSingleAccess(
  db: Db,
  clock: Clock,
  code: string,
  orgId: string | undefined,
): Promise<Begun | undefined> {
  return db.transaction(async (tx) => {
    type Taken = { readonly accessTokenHash: string; readonly startPath: string }
    const [taken] = await tx.query<Taken>(singleAccessSql.take(hashToken(code), orgId, secondsNow(clock)))
    if (taken === undefined) return undefined
    const cookie = await beginSessionOfToken(tx, clock, taken.accessTokenHash)
    return cookie === undefined ? undefined : { cookie, startPath: taken.startPath }
  })
}
