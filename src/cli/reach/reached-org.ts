import type { Reply } from '../../calls/reply.ts'

/** An org that answers calls, in its administrator's name, wherever it is. */
export interface ReachedOrg {
  /**
   * @param path below the version, `/query?q=...`; an address that a reply gave, as `nextRecordsUrl`; or one of the
   * set-up door: `/setup/orgs/current/...`
   * @param body what is sent as JSON
   */
  call(method: string, path: string, body?: unknown): Promise<Reply>
  close(): Promise<void>
}

/** What an org is reached for: who writes needs its triggers. */
export type Purpose = 'read' | 'write'

/** The set-up door's addresses. */
export const SETUP_PREFIX = /^\/setup(?=\/)/

/** What stands in an address before the path below the version. */
export const VERSION_PREFIX = /^\/services\/data\/[^/]+(?=\/)/
