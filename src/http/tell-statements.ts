import type { Watch } from '../storage/watch.ts'
import type { House } from './visit.ts'

/**
 * Makes an observation of each statement that has ended.
 * @param requestId the request that it was for; undefined: none, or several
 */
export function tellStatements(
  { config, observe }: Pick<House, 'config' | 'observe'>,
  requestId?: string,
): Watch['told'] {
  const slow = config.slowStatementMilliseconds ?? Number.POSITIVE_INFINITY
  return (text, milliseconds) =>
    observe({ kind: 'statement', text, milliseconds, isSlow: milliseconds >= slow, requestId })
}
