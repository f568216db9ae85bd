import type { SecretBox } from '../auth/keys/secret-box.ts'
import type { Sessions } from '../auth/tokens/sessions.ts'
import type { Clock } from '../base/clock.ts'
import type { OrgRuntimes } from '../calls/org-runtimes.ts'
import type { DeployedCode } from '../customrest/deployed-code.ts'
import type { FaultStore } from '../faults/fault-store.ts'
import type { Journal } from '../faults/journal/journal.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { QuotaStore } from '../quota/quota-store.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { OrgClocks } from '../storage/orgs/org-clocks.ts'
import type { OrgHosts } from '../storage/orgs/org-hosts.ts'

/** What set-up works on beyond the context of a call: what this process keeps of every org. */
export interface Platform {
  readonly runtimes: OrgRuntimes
  readonly sessions: Sessions
  readonly secrets: SecretBox
  readonly hosts: OrgHosts
  /** The machine's time, which secrets and pages live by, whatever the clocks of orgs say. */
  readonly clock: Clock
  readonly clocks: OrgClocks
  readonly quotaStore: QuotaStore
  /** What calls came; undefined: no journal is kept. */
  readonly journal: Journal | undefined
  /** Name of the first user of an org. */
  readonly adminUsername: string
  /** Brings an org to the definitions of the server's deployment. */
  readonly applyDefinitions: (db: Db, org: Org) => Promise<void>
  /** The deployment's own code as it is by now. */
  readonly code: { readonly current: DeployedCode | undefined }
  /** Where what is done later waits. */
  readonly queue: JobQueue
  /** The failures that orgs rehearse; undefined: the settings allow none. */
  readonly faults: FaultStore | undefined
}
