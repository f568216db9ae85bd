import { createHash, X509Certificate } from 'node:crypto'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { trimEndOf } from '../../base/trim-end-of.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { usedAssertionSql } from './used-assertions.sql.ts'

/** The only way in which an assertion may be signed: what its header says chooses nothing. (docs/reference/api/tokens.md#jwt-bearer) */
const ALGORITHM = 'RS256'

const LEAST_BITS = 2048

/** How long after its end an assertion is still taken, in seconds. */
const SKEW = 180

/** A time above this is in milliseconds: the sf CLI sends that. */
const LARGEST_SECONDS = 1e11

const MAX_ASSERTION_LENGTH = 16_384

export interface Assertion {
  /** Client id. */
  readonly issuer: string
  /** Username. */
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
}

export const invalidAssertion = () => new OAuthError('invalid_grant', 'invalid assertion')

function parseObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidAssertion()
  return value as Record<string, unknown>
}

/**
 * Reads who claims to have signed what. Nothing of it is proved yet.
 * @throws OAuthError invalid_grant
 */
export function readAssertion(token: string): Assertion {
  if (token.length > MAX_ASSERTION_LENGTH) throw invalidAssertion()
  try {
    if (decodeProtectedHeader(token).alg !== ALGORITHM) throw invalidAssertion()
    const claims = parseObject(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8'))
    const subject = claims.sub ?? claims.prn
    if (typeof claims.iss !== 'string' || typeof subject !== 'string') throw invalidAssertion()
    return { issuer: claims.iss, subject, claims }
  } catch {
    throw invalidAssertion()
  }
}

const START_OF_CERTIFICATE = '-----BEGIN CERTIFICATE-----'
const END_OF_CERTIFICATE = '-----END CERTIFICATE-----'

/** The public keys of an app: certificates in PEM, one after the other; keys that are too weak do not count. */
function publicKeysOf(certificates: string) {
  const blocks = certificates
    .split(END_OF_CERTIFICATE)
    .slice(0, -1)
    .map((part) => part.slice(part.lastIndexOf(START_OF_CERTIFICATE)) + END_OF_CERTIFICATE)
  return blocks.flatMap((block) => {
    try {
      const { publicKey } = new X509Certificate(block)
      const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0
      return publicKey.asymmetricKeyType === 'rsa' && bits >= LEAST_BITS ? [publicKey] : []
    } catch {
      return []
    }
  })
}

/** Whether anybody could sign an assertion for these certificates. */
export const hasUsableKey = (certificates: string) => publicKeysOf(certificates).length > 0

/** @throws OAuthError invalid_grant when none of the certificates' keys has signed the assertion */
export async function verifySignature(token: string, certificates: string): Promise<void> {
  for (const key of publicKeysOf(certificates)) {
    try {
      await compactVerify(token, key, { algorithms: [ALGORITHM] })
      return
    } catch {
      // Another key may be the one.
    }
  }
  throw invalidAssertion()
}

/** A time in seconds since 1970, from a number or its text, of seconds or milliseconds. Undefined: it is none. */
function secondsOf(value: unknown): number | undefined {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
  if (!isNumeric) return undefined
  const number = Number(value)
  return number > LARGEST_SECONDS ? number / 1000 : number
}

/**
 * An end far in the future is no reason to refuse: clients send such. (docs/reference/api/tokens.md#jwt-bearer)
 * @throws OAuthError invalid_grant
 */
export function checkTimes({ claims }: Assertion, now: Date): void {
  const seconds = now.getTime() / 1000
  const end = secondsOf(claims.exp)
  if (end === undefined || !(end >= seconds - SKEW)) throw invalidAssertion()
  if (claims.nbf === undefined) return
  const begin = secondsOf(claims.nbf)
  if (begin === undefined || !(begin <= seconds + SKEW)) throw invalidAssertion()
}

/** The year 9999: times after it are no dates to the database. */
const LAST_SECOND = 253_402_300_799

/**
 * An assertion that has an id is used once, whichever server is asked, until it has ended. Most clients give none.
 * @throws OAuthError invalid_grant when it was used before
 */
export async function useOnce(db: Db, org: Org, { issuer, claims }: Assertion): Promise<void> {
  const { jti } = claims
  if (jti === undefined || jti === null) return
  const idHash = createHash('sha256').update(JSON.stringify(jti)).digest('base64url')
  const end = Math.min(secondsOf(claims.exp)! + SKEW, LAST_SECOND)
  const [used] = await db.query(usedAssertionSql.use(org, issuer, idHash, end))
  if (used === undefined) throw invalidAssertion()
}

/** Clients disagree about scheme and trailing slash. */
const bare = (audience: string) => trimEndOf(audience.replace(/^https?:\/\//i, ''), '/').toLowerCase()

/** @throws OAuthError invalid_grant when the assertion was made for somebody else */
export function checkAudience({ claims: { aud } }: Assertion, accepted: readonly string[]): void {
  const named = (Array.isArray(aud) ? aud : [aud]).filter((one) => typeof one === 'string')
  const own = new Set(accepted.map(bare))
  if (!named.some((one) => own.has(bare(one)))) {
    throw new OAuthError('invalid_grant', 'audience is invalid')
  }
}
