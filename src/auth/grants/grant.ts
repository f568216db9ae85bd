import type { Clock } from '../../base/clock.ts'
import type { Db } from '../../storage/db.ts'
import type { Org } from '../../storage/org.ts'
import type { Sessions } from '../sessions.ts'
import type { tokenResponse } from '../token-response.ts'

/** What came to the token endpoint, and what a grant works with. */
export interface TokenRequest {
  /** Form parameters; none stands twice. */
  readonly parameters: ReadonlyMap<string, string>
  /** Client credentials from the form or from HTTP Basic. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** Where clients reach an org. */
  readonly originOf: (org: Org) => Promise<string>
  readonly db: Db
  readonly sessions: Sessions
  readonly clock: Clock
}

/**
 * One way to a token.
 * @throws OAuthError
 */
export type Grant = (request: TokenRequest) => Promise<ReturnType<typeof tokenResponse>>
