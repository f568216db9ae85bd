import { type AttemptLimits, tokenErrorRules } from '../attempts/attempt-rules.ts'
import type { Attempts } from '../attempts/attempts.ts'
import { OAuthError, rateExceeded } from '../oauth/oauth-error.ts'

interface Counting {
  readonly attempts: Attempts
  readonly settings: AttemptLimits
  readonly address: string
}

/** Errors that tell a client to wait do not count as mistakes. */
const NO_MISTAKES = ['authorization_pending', 'slow_down', 'rate_limit_exceeded']

const isMistake = (error: unknown) => error instanceof OAuthError && !NO_MISTAKES.includes(error.error)

/**
 * Runs a token request and counts it if it is refused.
 * @throws OAuthError rate_limit_exceeded if the client was refused too often
 */
export async function countTokenErrors<T>(
  { attempts, settings, address }: Counting,
  clientId: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const attempt = await attempts.begin(tokenErrorRules(settings, address, clientId))
  if (attempt.wait > 0) throw rateExceeded(attempt.wait)
  let isWrong = false
  try {
    return await work()
  } catch (error) {
    isWrong = isMistake(error)
    throw error
  } finally {
    await attempt.end(isWrong)
  }
}
