import { type ClockOf, secondsText } from '../../base/clock.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { besideCalls } from '../../storage/database/connection-guard.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type LoginApi, type LoginRow, loginSql } from './login-history.sql.ts'

/** How often log-ins are written down, in milliseconds. */
const BEAT = 1000

/** Further log-ins of an org within a beat are not kept. */
const MAX_WAITING = 5000

const NO_API = { clientName: null, apiType: null, apiVersion: null }

interface Login extends Pick<LoginRow, 'userId' | 'clientId'> {
  readonly org: Org
  readonly address?: string | undefined
  readonly loginApi?: LoginApi | undefined
}

/**
 * Which users were given tokens, when, and through which apps. Issuing a token must not wait for that: log-ins are gathered here
 * and written down each second, so a process that is killed forgets those of its last second.
 */
export class LoginHistory {
  readonly #db: Db
  readonly #clockOf: ClockOf
  /** By org id. */
  #waiting = new Map<string, { readonly org: Org; readonly rows: LoginRow[] }>()
  #beating: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Db, clockOf: ClockOf) {
    this.#db = db
    this.#clockOf = clockOf
  }

  note({ org, userId, clientId, address, loginApi }: Login): void {
    const { rows } = getOrInsert(this.#waiting, org.id, () => ({ org, rows: [] as LoginRow[] }))
    if (rows.length >= MAX_WAITING) return
    const time = secondsText(this.#clockOf(org.id)())
    rows.push({ userId, clientId, address: address ?? null, time, ...(loginApi ?? NO_API) })
    this.#beating ??= besideCalls(() => setTimeout(() => void this.writeDown(), BEAT).unref())
  }

  /** Writes down what was gathered. What cannot be written is forgotten. */
  writeDown(): Promise<void> {
    clearTimeout(this.#beating)
    this.#beating = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting = new Map()
    for (const { org, rows } of waiting) {
      this.#writing = this.#writing.then(() => this.#write(org, rows)).catch(() => {})
    }
    return this.#writing
  }

  async #write(org: Org, rows: readonly LoginRow[]): Promise<void> {
    await this.#db.query(loginSql.note(org, rows))
    await this.#db.query(loginSql.forget(org))
  }
}
