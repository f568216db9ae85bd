import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { SIGNING_ALGORITHM, type SigningKey } from '../keys/signing-keys.ts'

/** How long an id token is valid. (docs/reference/api/tokens.md#id-token) */
const LIFE_SECONDS = 120

interface Claims {
  /** This server, as the client named it. */
  readonly issuer: string
  /** URL of the user's identity. */
  readonly subject: string
  readonly clientId: string
  readonly nonce: string | null | undefined
  readonly accessToken: string
  readonly issuedAt: Date
}

/** The left half of the token's hash, which links the id token to the access token. */
const halfHash = (token: string) =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')

/** Makes a signed id token. */
export function signIdToken({ keyId, privateKey }: SigningKey, claims: Claims): Promise<string> {
  const { issuer, subject, clientId, nonce, accessToken, issuedAt } = claims
  const seconds = Math.floor(issuedAt.getTime() / 1000)
  const own = { at_hash: halfHash(accessToken), ...(typeof nonce === 'string' && { nonce }) }
  return new SignJWT(own)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keyId, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(clientId)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + LIFE_SECONDS)
    .sign(privateKey)
}
