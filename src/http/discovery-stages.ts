import { publicKeys, SIGNING_ALGORITHM } from '../auth/signing-keys.ts'
import { SCOPES } from '../standard/connected-application.ts'
import type { Stage } from './visit.ts'

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

/** The keys that id tokens are signed with. (contract/auth 1) */
export const signingKeys: Stage = async ({ house: { reserved: db, secrets, clock }, method }) =>
  isRead(method) ? { status: 200, body: { keys: await publicKeys(db, secrets, clock) } } : undefined

/** Where a client finds what. The issuer is compared letter by letter with that of id tokens. (contract/auth 1) */
export const discovery: Stage = ({ origin, method }) => {
  if (!isRead(method)) return undefined
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
