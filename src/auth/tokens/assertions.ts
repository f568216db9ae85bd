import { createHash, X509Certificate } from 'node:crypto'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { trimEnd } from '../../base/cut-text.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { usedAssertionSql } from './used-assertions.sql.ts'

/** The only accepted signature algorithm; the header of an assertion has no influence. (docs/reference/api/tokens.md#jwt-bearer) */
const ALGORITHM = 'RS256'

const MIN_KEY_BITS = 2048

/** How long after its expiry an assertion is still accepted. */
const SKEW_SECONDS = 180

/** A larger time is in milliseconds, as the sf CLI sends it. */
const MAX_SECONDS = 1e11

const MAX_ASSERTION_LENGTH = 16_384

interface Assertion {
  /** Client id. */
  readonly issuer: string
  /** Username. */
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
}

const invalidAssertion = () => new OAuthError('invalid_grant', 'invalid assertion')

function parseObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidAssertion()
  return value as Record<string, unknown>
}

/**
 * Parses an assertion. Its signature is not checked yet.
 * @throws OAuthError invalid_grant
 */
export function readAssertion(token: string): Assertion {
  if (token.length > MAX_ASSERTION_LENGTH) throw invalidAssertion()
  try {
    const header = decodeProtectedHeader(token)
    // A receiver has to understand each critical extension, and this one understands none.
    if (header.alg !== ALGORITHM || 'crit' in header) throw invalidAssertion()
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

/** The public keys of an app's concatenated PEM certificates, without those that are too weak. */
function parsePublicKeys(certificates: string) {
  const blocks = certificates
    .split(END_OF_CERTIFICATE)
    .slice(0, -1)
    .map((part) => part.slice(part.lastIndexOf(START_OF_CERTIFICATE)) + END_OF_CERTIFICATE)
  return blocks.flatMap((block) => {
    try {
      const { publicKey } = new X509Certificate(block)
      const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0
      return publicKey.asymmetricKeyType === 'rsa' && bits >= MIN_KEY_BITS ? [publicKey] : []
    } catch {
      return []
    }
  })
}

/** True if any of the certificates can verify an assertion. */
export const hasUsableKey = (certificates: string) => parsePublicKeys(certificates).length > 0

/** @throws OAuthError invalid_grant if no certificate's key matches the signature */
export async function verifySignature(token: string, certificates: string): Promise<void> {
  for (const key of parsePublicKeys(certificates)) {
    try {
      await compactVerify(token, key, { algorithms: [ALGORITHM] })
      return
    } catch {
      // Try the next key.
    }
  }
  throw invalidAssertion()
}

/** A time in seconds since 1970, from a number or numeric text in seconds or milliseconds. Undefined if it is not a time. */
function parseSeconds(value: unknown): number | undefined {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
  if (!isNumeric) return undefined
  const number = Number(value)
  return number > MAX_SECONDS ? number / 1000 : number
}

/**
 * Checks expiry and start. An expiry far in the future is accepted, since some clients send that. (docs/reference/api/tokens.md#jwt-bearer)
 * @throws OAuthError invalid_grant
 */
export function checkTimes({ claims }: Assertion, now: Date): void {
  const seconds = now.getTime() / 1000
  const end = parseSeconds(claims.exp)
  if (end === undefined || !(end >= seconds - SKEW_SECONDS)) throw invalidAssertion()
  if (claims.nbf === undefined) return
  const begin = parseSeconds(claims.nbf)
  if (begin === undefined || !(begin <= seconds + SKEW_SECONDS)) throw invalidAssertion()
}

/** The end of the year 9999: the database does not accept later dates. */
const LAST_SECOND = 253_402_300_799

/** True if an assertion has an id. Most clients send none. */
export const isSingleUse = ({ claims: { jti } }: Assertion): boolean => jti !== undefined && jti !== null

/**
 * Makes sure that an assertion with an id is used only once, over all servers, until it expires.
 * @param tx the transaction of the token: if that fails, the assertion can be sent again
 * @throws OAuthError invalid_grant if it was used before
 */
export async function useOnce(tx: Db, org: Org, { issuer, claims }: Assertion): Promise<void> {
  const idHash = createHash('sha256').update(JSON.stringify(claims.jti)).digest('base64url')
  const end = Math.min(parseSeconds(claims.exp)! + SKEW_SECONDS, LAST_SECOND)
  const [used] = await tx.query(usedAssertionSql.use(org, issuer, idHash, end))
  if (used === undefined) throw invalidAssertion()
}

/** An audience without scheme and trailing slash, on which clients differ. */
const normalizeAudience = (audience: string) =>
  trimEnd(audience.replace(/^https?:\/\//i, ''), '/').toLowerCase()

interface Audiences {
  /** With or without a scheme. */
  readonly accepted: readonly string[]
  /** With a scheme only, unless the setting is lenient. */
  readonly withScheme: readonly string[]
  readonly lenient: boolean
}

/** @throws OAuthError invalid_grant if the assertion is for another audience */
export function checkAudience(
  { claims: { aud } }: Assertion,
  { accepted, withScheme, lenient }: Audiences,
): void {
  const named = (Array.isArray(aud) && lenient ? aud : [aud]).filter((one) => typeof one === 'string')
  const isAmong = (audiences: readonly string[], one: string) =>
    audiences.some((audience) => normalizeAudience(audience) === normalizeAudience(one))
  const isOf = (one: string) =>
    isAmong(accepted, one) || (isAmong(withScheme, one) && (lenient || /^https?:\/\//i.test(one)))
  if (!named.some(isOf)) {
    throw new OAuthError('invalid_grant', 'audience is invalid')
  }
}
