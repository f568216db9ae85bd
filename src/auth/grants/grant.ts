import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { AttemptLimits } from '../attempts/attempt-rules.ts'
import type { Attempts } from '../attempts/attempts.ts'
import type { SecretBox } from '../keys/secret-box.ts'
import type { Sessions } from '../tokens/sessions.ts'

/** A request to the token endpoint, with the services of a grant. */
export interface TokenRequest {
  /** Form parameters; none is repeated. */
  readonly parameters: ReadonlyMap<string, string>
  /** Client credentials from the form or from HTTP Basic. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** This server's origin as the request named it. */
  readonly origin: string
  /** Returns the origin at which clients reach an org. */
  readonly originOf: (org: Org) => Promise<string>
  /** Returns the origins of an org that come from configuration, not from the request. */
  readonly ownOriginsOf: (org: Org) => Promise<readonly string[]>
  /** True if the request came to a host at which the org is reached. */
  readonly isAtItsHost: (org: Org) => Promise<boolean>
  readonly db: Db
  readonly sessions: Sessions
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly settings: Pick<Config, 'jwtAudiences' | 'allowPasswordFlow' | 'lenient'> & AttemptLimits
  /** Counts failed attempts. */
  readonly attempts: Attempts
  /** Address of the client as returned by `addressKey`. */
  readonly address: string
}

/** Properties of a success body. */
export type TokenAnswer = Readonly<Record<string, string | number>>

/**
 * A way to obtain tokens.
 * @throws OAuthError
 */
export type Grant = (request: TokenRequest) => Promise<TokenAnswer>
