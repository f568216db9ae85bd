import { createHmac } from 'node:crypto'

interface Given {
  readonly accessToken: string
  /** Where clients reach the org. */
  readonly origin: string
  readonly orgId: string
  readonly userId: string
  readonly scopes: readonly string[]
  /** Key of the signature. */
  readonly clientSecret: string
  readonly issuedAt: Date
}

/** The URL of a user's identity; clients parse the ids of org and user from its end. (docs/reference/api/tokens.md#response) */
export const identityAddress = (origin: string, orgId: string, userId: string) =>
  `${origin}/id/${orgId}/${userId}`

/** The success body of all grants. (docs/reference/api/tokens.md#response) */
export function tokenResponse(given: Given) {
  const id = identityAddress(given.origin, given.orgId, given.userId)
  const issuedAt = String(given.issuedAt.getTime())
  return {
    access_token: given.accessToken,
    signature: createHmac('sha256', given.clientSecret)
      .update(id + issuedAt)
      .digest('base64'),
    scope: given.scopes.join(' '),
    instance_url: given.origin,
    id,
    token_type: 'Bearer',
    issued_at: issuedAt,
    token_format: 'opaque',
  }
}
