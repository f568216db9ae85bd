import type { ConnectedApp } from './connected-app.ts'
import { OAuthError } from './oauth-error.ts'

/** Scopes that request a refresh token. */
const REFRESH = ['refresh_token', 'offline_access']

const IDENTITY_PARTS = ['profile', 'email', 'address', 'phone']

/** The scopes that a scope implies. (docs/reference/api/tokens.md#scopes) */
const COVERED: ReadonlyMap<string, readonly string[]> = new Map([
  ['refresh_token', REFRESH],
  ['offline_access', REFRESH],
  ['api', ['chatter_api']],
  ['web', ['visualforce']],
  ['id', IDENTITY_PARTS],
  // Not refresh tokens: these must be requested explicitly.
  [
    'full',
    [
      ...['api', 'web', 'id', 'openid', 'custom_permissions', 'chatter_api', 'content', 'visualforce'],
      ...['lightning', 'wave_api', 'eclair_api', 'pardot_api'],
      ...IDENTITY_PARTS,
    ],
  ],
])

/** True if all wanted scopes were granted or are implied by granted ones. */
export function coversScopes(granted: readonly string[], wanted: readonly string[]): boolean {
  const open = new Set(granted.flatMap((scope) => [scope, ...(COVERED.get(scope) ?? [])]))
  return wanted.every((scope) => open.has(scope))
}

export const asksForRefresh = (scopes: readonly string[]) => scopes.some((scope) => REFRESH.includes(scope))

/**
 * The scopes of a request: those that it names, else all of the app. (docs/reference/api/tokens.md#scopes)
 * @throws OAuthError invalid_scope
 */
export function parseScope(
  text: string | undefined,
  { scopes }: Pick<ConnectedApp, 'scopes'>,
): readonly string[] {
  const wanted = [...new Set((text ?? '').split(/\s+/).filter((scope) => scope !== ''))]
  if (wanted.length === 0) return scopes
  if (coversScopes(scopes, wanted)) return wanted
  throw new OAuthError('invalid_scope', 'the requested scope is not allowed')
}
