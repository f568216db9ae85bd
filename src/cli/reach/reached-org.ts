import type { Reply } from '../../calls/reply.ts'

/** An org that answers calls, in its administrator's name, wherever it is. */
export interface ReachedOrg {
  /** @param path below the version, `/query?q=...`, or an address that a reply gave, as `nextRecordsUrl` */
  call(method: string, path: string): Promise<Reply>
  close(): Promise<void>
}

/** What stands in an address before the path below the version. */
export const VERSION_PREFIX = /^\/services\/data\/[^/]+(?=\/)/
