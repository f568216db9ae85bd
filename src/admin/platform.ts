import type { SecretBox } from '../auth/keys/secret-box.ts'
import type { Sessions } from '../auth/tokens/sessions.ts'
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { CallLog } from '../calllog/call-log.ts'
import type { OrgRuntimes } from '../calls/org-runtimes.ts'
import type { DeployedCode } from '../customrest/deployed-code.ts'
import type { CommonDefinitions } from '../definitions/common/common-definitions.ts'
import type { FaultStore } from '../faults/fault-store.ts'
import type { Journal } from '../faults/journal/journal.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { QuotaStore } from '../quota/quota-store.ts'
import type { SlowQueries } from '../slowqueries/slow-queries.ts'
import type { Engine } from '../storage/database/db.ts'
import type { OrgClocks } from '../storage/orgs/org-clocks.ts'
import type { OrgHosts } from '../storage/orgs/org-hosts.ts'

/** Services of the process that the admin API uses beyond the request context. */
export interface Platform {
  readonly engine: Engine['kind']
  readonly runtimes: OrgRuntimes
  readonly sessions: Sessions
  readonly secrets: SecretBox
  readonly hosts: OrgHosts
  /** The machine's clock, used for secrets and query pages instead of an org's clock. */
  readonly clock: Clock
  readonly clocks: OrgClocks
  readonly quotaStore: QuotaStore
  /** The journal of calls; undefined when none is kept. */
  readonly journal: Journal | undefined
  /** Username of the first user of a new org. */
  readonly adminUsername: string
  /** The definitions that all orgs shall have. */
  readonly definitions: CommonDefinitions
  /** The current code of the deployment. */
  readonly code: { readonly current: DeployedCode | undefined }
  /** The queue of background work. */
  readonly queue: JobQueue
  readonly slowQueries: SlowQueries
  readonly callLog: CallLog
  /** The fault plans of orgs; undefined when the settings do not allow faults. */
  readonly faults: FaultStore | undefined
  /** Has the background steps of upgrades looked for at once, because one was requested. */
  readonly wakeUpgrades: () => void
}

/**
 * Makes the error for an unknown resource or job.
 * @param there the resources or jobs of the deployment; undefined when there is no deployed code
 */
export function noneOfThat(
  what: 'resource' | 'job',
  named: string,
  there: readonly { readonly name: string }[] = [],
): ApiError {
  const names = there.map(({ name }) => name).sort()
  const others = names.length === 0 ? 'It has none' : `There are ${names.join(', ')}`
  return new ApiError(
    'NOT_FOUND',
    `The deployment has no ${what} ${named.slice(0, 255).replaceAll('\0', '')}. ${others}`,
  )
}
