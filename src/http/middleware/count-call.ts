import type { Config } from '../../config/config.ts'
import { getAllocation } from '../../quota/editions.ts'
import type { QuotaStore } from '../../quota/quota-store.ts'
import type { HttpContext, Identified, InOrg, Routed } from '../pipeline/http-context.ts'
import type { Middleware } from '../pipeline/pipeline.ts'
import type { WithFaults } from './fault-injection.ts'

interface CountServices {
  readonly quotaStore: QuotaStore
  readonly config: Config
}

/** How much of the allocation is used, this call included, under both names. (docs/reference/api/limits-and-versions.md#usage-header) */
function addUsageHeaders(
  { quotaStore, config }: CountServices,
  { response, runtime, faults }: HttpContext & InOrg & WithFaults,
): void {
  if (faults.hidesLimitHeader) return
  const usage = `api-usage=${quotaStore.used(runtime.org.id)}/${getAllocation(config).calls}`
  response.headers({ 'Svc-Limit-Info': usage, 'Sforce-Limit-Info': usage })
}

/**
 * Counts one call, whatever it is made of. (docs/reference/api/limits-and-versions.md#allocation)
 * @throws ApiError REQUEST_LIMIT_EXCEEDED when the allocation is used up or too many calls run for long
 */
export const countCall =
  (services: CountServices): Middleware<HttpContext & Identified & Routed & WithFaults> =>
  (context) => {
    const { runtime, session, target, facts, request } = context
    const admit = () => {
      facts.isCounted = true
      addUsageHeaders(services, context)
      return undefined
    }
    const refuse = (error: unknown) => {
      addUsageHeaders(services, context)
      throw error
    }
    let counting: Promise<void> | undefined
    try {
      counting = services.quotaStore.count({
        org: runtime.org,
        clientId: session?.clientId,
        version: target.version,
        onlyReads: request.method === 'GET' || request.method === 'HEAD',
      })
    } catch (error) {
      return refuse(error)
    }
    // Most calls are admitted at once.
    return counting === undefined ? admit() : counting.then(admit, refuse)
  }
