import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { AttemptLimits } from '../attempts/attempt-rules.ts'
import type { Attempts } from '../attempts/attempts.ts'
import type { SecretBox } from '../keys/secret-box.ts'
import type { Sessions } from '../tokens/sessions.ts'

/** What came to the token endpoint, and what a grant works with. */
export interface TokenRequest {
  /** Form parameters; none stands twice. */
  readonly parameters: ReadonlyMap<string, string>
  /** Client credentials from the form or from HTTP Basic. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** This server as the request named it. */
  readonly origin: string
  /** Where clients reach an org. */
  readonly originOf: (org: Org) => Promise<string>
  /** Where clients reach an org, as far as nobody but this server says so. */
  readonly ownOriginsOf: (org: Org) => Promise<readonly string[]>
  /** Whether the request came to a host that opens the org. */
  readonly isAtItsHost: (org: Org) => Promise<boolean>
  readonly db: Db
  readonly sessions: Sessions
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly settings: Pick<Config, 'jwtAudiences' | 'allowPasswordFlow'> & AttemptLimits
  /** What was wrong lately. */
  readonly attempts: Attempts
  /** Where the client is, as `addressKey` has it. */
  readonly address: string
}

/** Members of a success body. */
export type TokenAnswer = Readonly<Record<string, string | number>>

/**
 * One way to a token.
 * @throws OAuthError
 */
export type Grant = (request: TokenRequest) => Promise<TokenAnswer>
