import type { Clock } from '../../base/clock.ts'
import type { Observe } from '../../base/observation.ts'
import type { OrgRuntime } from '../../calls/org-runtimes.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Deploy } from './deploy.ts'

export interface DeployServices {
  readonly db: Db
  readonly runtimeOf: (org: Org) => Pick<OrgRuntime, 'snapshots' | 'callers'>
  readonly clockOf: (orgId: string) => Clock
  readonly config: Pick<Config, 'unsupportedMetadata'>
  readonly observe: Observe
  /** Called when there may be background steps. */
  readonly wakeUpgrades: () => void
}

/** A deployment that is being carried out. */
export interface Running {
  readonly services: DeployServices
  readonly org: Org
  readonly deploy: Deploy
  /** Current time of the org. */
  readonly now: () => string
}
