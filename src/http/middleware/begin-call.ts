import type { Observe } from '../../base/observation.ts'
import type { Config } from '../../config/config.ts'
import type { RunningCalls } from '../../quota/running-calls.ts'
import type { HttpContext, InOrg, Started } from '../pipeline/http-context.ts'
import type { Middleware } from '../pipeline/pipeline.ts'
import { makeStatementReporter } from './report-statements.ts'

interface BeginServices {
  readonly running: RunningCalls
  readonly config: Pick<Config, 'slowStatementMilliseconds'>
  readonly observe: Observe
}

/** From here on the call has as long as the settings say. The listener ends it. */
export const beginCall =
  (services: BeginServices): Middleware<HttpContext & InOrg, Started> =>
  ({ runtime, request, facts }) => {
    const report = makeStatementReporter(services, request.id)
    const running = services.running.begin(runtime.org.id, report)
    facts.running = running
    return { running }
  }
