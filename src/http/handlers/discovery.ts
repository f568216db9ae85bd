import type { SecretBox } from '../../auth/keys/secret-box.ts'
import { publicKeys, SIGNING_ALGORITHM } from '../../auth/keys/signing-keys.ts'
import type { Clock } from '../../base/clock.ts'
import { SCOPES } from '../../standard/setup/connected-application.ts'
import type { Db } from '../../storage/database/db.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'

interface KeyServices {
  readonly reserved: Db
  readonly secrets: SecretBox
  readonly clock: Clock
}

/** The keys that id tokens are signed with. (docs/reference/api/tokens.md#discovery) */
export const listSigningKeys =
  ({ reserved: db, secrets, clock }: KeyServices): RequestHandler<unknown> =>
  async () => ({ status: 200, body: { keys: await publicKeys(db, secrets, clock) } })

/**
 * The addresses and features of the OAuth endpoints. Clients compare the issuer byte by byte with that of id tokens.
 * (docs/reference/api/tokens.md#discovery)
 */
export const describeProvider: RequestHandler<HttpContext> = ({ origin }) => {
  const oauth = `${origin}/services/oauth2`
  const body = {
    issuer: origin,
    authorization_endpoint: `${oauth}/authorize`,
    token_endpoint: `${oauth}/token`,
    revocation_endpoint: `${oauth}/revoke`,
    introspection_endpoint: `${oauth}/introspect`,
    userinfo_endpoint: `${oauth}/userinfo`,
    jwks_uri: `${origin}/id/keys`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
    display_values_supported: ['page', 'popup', 'touch'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: CLAIMS,
  }
  return { status: 200, body }
}

const CLAIMS = [
  ...['active', 'address', 'email', 'email_verified', 'family_name', 'given_name', 'is_app_installed'],
  ...['language', 'locale', 'name', 'nickname', 'organization_id', 'photos', 'picture', 'preferred_username'],
  ...['profile', 'sub', 'updated_at', 'urls', 'user_id', 'user_type', 'utcOffset', 'zoneinfo'],
]
