import type { Observe } from '../../base/observation.ts'
import type { Config } from '../../config/config.ts'
import type { Watch } from '../../storage/database/watch.ts'

interface ReportServices {
  readonly config: Pick<Config, 'slowStatementMilliseconds'>
  readonly observe: Observe
}

/**
 * Makes an observation of each statement that has ended.
 * @param requestId the request that it was for; undefined: none, or several
 */
export function makeStatementReporter(
  { config, observe }: ReportServices,
  requestId?: string,
): Watch['reported'] {
  const slow = config.slowStatementMilliseconds ?? Number.POSITIVE_INFINITY
  return (text, milliseconds) =>
    observe({ kind: 'statement', text, milliseconds, isSlow: milliseconds >= slow, requestId })
}
