import type { SecretBox } from '../../auth/secret-box.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { OrgRuntimes } from '../../calls/org-runtimes.ts'
import type { Db } from '../../storage/db.ts'
import type { Org } from '../../storage/org.ts'
import type { OrgHosts } from '../../storage/org-hosts.ts'

/** What set-up works on beyond the context of a call: what this process keeps of every org. */
export interface Platform {
  readonly runtimes: OrgRuntimes
  readonly sessions: Sessions
  readonly secrets: SecretBox
  readonly hosts: OrgHosts
  /** Name of the first user of an org. */
  readonly adminUsername: string
  /** Brings an org to the definitions of the server's deployment. */
  readonly applyDefinitions: (db: Db, org: Org) => Promise<void>
}
