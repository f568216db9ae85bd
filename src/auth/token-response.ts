import { createHmac } from 'node:crypto'

interface Grant {
  readonly accessToken: string
  /** Origin of this server. */
  readonly origin: string
  readonly orgId: string
  readonly userId: string
  readonly scopes: readonly string[]
  /** Key of the signature. */
  readonly clientSecret: string
  readonly issuedAt: Date
}

/** The success body that all grants share. (contract/auth 3) */
export function tokenResponse(grant: Grant) {
  const id = `${grant.origin}/id/${grant.orgId}/${grant.userId}`
  const issuedAt = String(grant.issuedAt.getTime())
  return {
    access_token: grant.accessToken,
    signature: createHmac('sha256', grant.clientSecret)
      .update(id + issuedAt)
      .digest('base64'),
    scope: grant.scopes.join(' '),
    instance_url: grant.origin,
    id,
    token_type: 'Bearer',
    issued_at: issuedAt,
    token_format: 'opaque',
  }
}
