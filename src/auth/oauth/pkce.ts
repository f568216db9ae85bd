import { createHash, timingSafeEqual } from 'node:crypto'
import { trimEnd } from '../../base/cut-text.ts'
import { OAuthError } from './oauth-error.ts'

/** Clients send up to 171 characters, more than the standard allows. (docs/reference/api/tokens.md#code-exchange) */
const VERIFIER = /^[\x21-\x7e]{43,1024}$/

const invalid = () => new OAuthError('invalid_grant', 'invalid code verifier')

/**
 * Checks the verifier. A challenge always uses S256 and requires a verifier; a verifier without a challenge means that the
 * challenge was removed on the way.
 * @throws OAuthError invalid_grant
 */
export function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) {
    if (verifier !== undefined) throw invalid()
    return
  }
  if (verifier === undefined) throw new OAuthError('invalid_grant', 'missing code verifier')
  if (!VERIFIER.test(verifier)) throw invalid()
  const expected = Buffer.from(trimEnd(challenge, '='))
  const found = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  if (expected.length !== found.length || !timingSafeEqual(expected, found)) throw invalid()
}
