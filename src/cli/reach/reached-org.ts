import type { Reply } from '../../calls/reply.ts'

/** An org that answers calls, in its administrator's name, wherever it is. */
export interface ReachedOrg {
  /** Where its server is, or would be by the settings: `http://127.0.0.1:8080`. */
  readonly address: string
  /**
   * @param path below the version, `/query?q=...`; an address that a reply gave, as `nextRecordsUrl`; or one of the
   * admin API: `/setup/orgs/current/...`
   * @param body what is sent as JSON
   */
  call(method: string, path: string, body?: unknown): Promise<Reply>
  close(): Promise<void>
}

/** Which org, and what for. */
export interface Reach {
  /** Name or id; the first one when absent. */
  readonly org?: string | undefined
  /** Records will be written: the deployment's triggers and rules are wanted, where there is one. */
  readonly writes?: boolean
  /**
   * The deployment's code has to be known. A server knows it; without one it is loaded here. `if it loads`:
   * code that cannot be loaded here, such as for want of its secrets, is left out.
   */
  readonly code?: boolean | 'if it loads'
  /** Background steps of all orgs are wanted, which a server carries out; without one they are carried out here. */
  readonly background?: boolean
}

/** Prefix of the admin API's addresses. */
export const SETUP_PREFIX = /^\/setup(?=\/)/

/** Prefix of an address, before the path below the version. */
export const VERSION_PREFIX = /^\/services\/data\/[^/]+(?=\/)/
