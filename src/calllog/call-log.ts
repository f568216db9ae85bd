import { getOrInsert } from '../base/get-or-insert.ts'
import { besideCalls } from '../storage/database/connection-guard.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { type CallFilter, callLogSql } from './call-log.sql.ts'
import type { LoggedCall, LoggedStatement } from './logged-call.ts'

/** How often calls are stored, in milliseconds: a process that is killed forgets no more than that. */
const STORE_INTERVAL_MS = 1000

/** Calls of an org that are kept of such an interval, and how many more that failed: storing must cost calls little. */
const MAX_NOTED = 200
const MAX_FAILED = 200

/** So many calls of an org are stored before old ones are forgotten. */
const FORGET_AFTER = 500

/** A call, by the names of the columns. */
export interface NotedCall {
  readonly time: string
  readonly request_id: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly route: string
  readonly status: number
  readonly error_code: string
  readonly duration_ms: number
  readonly statements: number
  readonly database_ms: number
  readonly username: string | undefined
  readonly client_id: string | undefined
  readonly client_address: string | undefined
  readonly bytes_in: number
  readonly bytes_out: number | undefined
  readonly statement_list: readonly LoggedStatement[]
  /** JSON. */
  readonly request?: string | undefined
  readonly response?: string | undefined
}

/** The rest of it: JSON texts. */
export interface CallParts {
  readonly statementList: string
  readonly request: string | null
  readonly response: string | null
}

/** The latest calls of all orgs. A call does not wait for that: what was noted is stored later. */
export class CallLog {
  readonly #db: Db
  #noted = new Map<string, NotedCall[]>()
  /** Calls that were stored since old ones were forgotten, by org. */
  readonly #stored = new Map<string, number>()
  /** Orgs whose bodies are kept, as they were when calls were last stored. */
  #keepBodies: ReadonlySet<string> = new Set()
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  /** True if the bodies of an org's calls are kept. */
  keepsBodies(orgId: string): boolean {
    return this.#keepBodies.has(orgId)
  }

  /** True if another call would be kept; else it need not be made. */
  takes(orgId: string, status: number): boolean {
    const count = this.#noted.get(orgId)?.length ?? 0
    return count < MAX_NOTED || (status >= 400 && count < MAX_NOTED + MAX_FAILED)
  }

  note(orgId: string, call: NotedCall): void {
    getOrInsert(this.#noted, orgId, () => []).push(call)
    this.#timer ??= besideCalls(() => setTimeout(() => void this.store(), STORE_INTERVAL_MS).unref())
  }

  /** Stores what was noted. What cannot be stored is forgotten. */
  store(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const noted = this.#noted
    this.#noted = new Map()
    if (noted.size > 0)
      this.#storing = this.#storing.then(() => this.#loadSettings([...noted.keys()])).catch(() => {})
    for (const [orgId, calls] of noted) {
      this.#storing = this.#storing.then(() => this.#write(orgId, calls)).catch(() => {})
    }
    return this.#storing
  }

  async #loadSettings(orgIds: readonly string[]): Promise<void> {
    const rows = await this.#db.query<{ orgId: string }>(callLogSql.settings(orgIds))
    this.#keepBodies = new Set(rows.map(({ orgId }) => orgId))
  }

  async #write(orgId: string, calls: readonly NotedCall[]): Promise<void> {
    const stored = (this.#stored.get(orgId) ?? FORGET_AFTER) + calls.length
    const isTime = stored > FORGET_AFTER
    this.#stored.set(orgId, isTime ? 0 : stored)
    await this.#db.transaction(async (tx) => {
      await tx.query(callLogSql.lock(orgId))
      await tx.query(callLogSql.insert(orgId, JSON.stringify(calls)))
      if (isTime) await tx.query(callLogSql.forget(orgId))
      if (calls.some(({ request }) => request !== undefined)) await tx.query(callLogSql.forgetBodies(orgId))
    })
  }

  /** The newest calls first; those after one of them, the oldest first. */
  async list(db: Db, org: Org, filter: CallFilter): Promise<LoggedCall[]> {
    await this.store()
    return db.query<LoggedCall>(callLogSql.list(org.id, filter))
  }

  async findNewest(db: Db, org: Org): Promise<string> {
    const [row] = await db.query<{ id: string }>(callLogSql.newest(org.id))
    return row!.id
  }

  async find(db: Db, org: Org, id: string): Promise<(LoggedCall & CallParts) | undefined> {
    const [found] = await db.query<LoggedCall & CallParts>(callLogSql.find(org.id, id))
    return found
  }

  async loadSettings(db: Db, org: Org): Promise<{ readonly bodies: boolean }> {
    const rows = await db.query(callLogSql.settings([org.id]))
    return { bodies: rows.length > 0 }
  }

  /** Bodies that were kept are forgotten when they are switched off. */
  async keepBodies(db: Db, org: Org, isOn: boolean): Promise<void> {
    await db.query(callLogSql.set(org.id, isOn))
    const others = [...this.#keepBodies].filter((id) => id !== org.id)
    this.#keepBodies = new Set(isOn ? [...others, org.id] : others)
    if (!isOn) await db.query(callLogSql.clearBodies(org.id))
  }
}
