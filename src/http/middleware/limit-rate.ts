import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import { tooManyCallsPerSecond } from '../../quota/limit-errors.ts'
import type { RateCounter } from '../../quota/rate-counter.ts'
import type { Identified } from '../pipeline/http-context.ts'
import type { Middleware } from '../pipeline/pipeline.ts'

interface RateServices {
  readonly config: Pick<Config, 'callsPerSecond'>
  readonly callRates: RateCounter
  readonly clock: Clock
}

/**
 * Bounds how many calls a user makes through an app in a second, where the settings say so. Refused calls count nowhere else.
 * @throws ApiError REQUEST_LIMIT_EXCEEDED
 */
export const limitRate =
  ({ config: { callsPerSecond }, callRates, clock }: RateServices): Middleware<Identified> =>
  ({ runtime, session, caller }) => {
    if (callsPerSecond === 0) return undefined
    const name = `${runtime.org.id} ${caller.user.id} ${session?.clientId ?? ''}`
    if (callRates.admit(name, callsPerSecond, clock())) return undefined
    throw tooManyCallsPerSecond()
  }
