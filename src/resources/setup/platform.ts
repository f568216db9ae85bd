import type { OrgRuntimes } from '../../calls/org-runtimes.ts'

/** What set-up works on beyond the context of a call: what this process keeps of every org. */
export interface Platform {
  readonly runtimes: OrgRuntimes
}
