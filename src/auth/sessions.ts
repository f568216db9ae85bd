import type { Clock } from '../base/clock.ts'
import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import type { ConnectedApp } from './connected-apps.ts'
import { sessionSql } from './sessions.sql.ts'
import { hashToken, makeAccessToken } from './token-text.ts'

/** Whose token it is, and for which org. */
export interface Session {
  readonly org: Org
  readonly userId: string
  /** What the token may be used for: `api`, `full`, ... */
  readonly scopes: readonly string[]
}

interface KnownSession extends Session {
  /** Seconds since 1970. */
  lastUsedAt: number
  readonly idleSeconds: number
  /** When the database was asked last, in milliseconds. */
  readonly checkedAt: number
}

/** How long a session is believed without asking the database, in milliseconds. */
const TRUSTED = 5_000
const MOST_KNOWN = 10_000

/**
 * Access tokens and what they stand for. A token lives a number of seconds after its last use; the last use is
 * written only once half of that time has passed. A token that is taken away stops working everywhere within five
 * seconds. (contract/auth 11)
 */
export class Sessions {
  readonly #db: Db
  readonly #clock: Clock
  readonly #idleSeconds: number
  /** By token: it is in our hands at every call anyway, and hashing costs more than looking up. */
  readonly #known = new Map<string, KnownSession>()
  /** Sessions of this process alone, by the hash of their token. */
  readonly #unstored = new Map<string, { readonly org: Org; readonly userId: string }>()

  constructor(db: Db, clock: Clock, idleSeconds: number) {
    this.#db = db
    this.#clock = clock
    this.#idleSeconds = idleSeconds
  }

  /** Makes a token; only its hash is stored. */
  async issue(app: ConnectedApp, userId: string): Promise<string> {
    const token = makeAccessToken(app.org.id)
    const issuedAt = this.#now()
    await this.#db.query(sessionSql.deleteExpired(issuedAt))
    await this.#db.query(
      sessionSql.insert({
        tokenHash: hashToken(token),
        clientId: app.clientId,
        orgId: app.org.id,
        userId,
        scopes: app.scopes,
        issuedAt,
        idleSeconds: this.#idleSeconds,
      }),
    )
    return token
  }

  /**
   * Makes a token that opens the data as long as this process lives, whatever the setting says, and that no other
   * process takes: nothing is stored, so it is worthless the moment the process is gone.
   */
  issueUnstored(org: Org, userId: string): string {
    const token = makeAccessToken(org.id)
    this.#unstored.set(hashToken(token), { org, userId })
    return token
  }

  /** Undefined: the token is unknown or expired. */
  async find(token: string): Promise<Session | undefined> {
    const now = this.#now()
    let session = this.#known.get(token)
    if (session === undefined || now * 1000 - session.checkedAt > TRUSTED) {
      session = await this.#load(hashToken(token), now)
      this.#remember(token, session)
    }
    if (session === undefined || now - session.lastUsedAt > session.idleSeconds) return undefined
    if (now - session.lastUsedAt > session.idleSeconds / 2) {
      session.lastUsedAt = now
      await this.#db.query(sessionSql.touch(hashToken(token), now))
    }
    return session
  }

  /** An org that is gone has no sessions. */
  forget(org: Org): void {
    for (const [token, session] of this.#known) if (session.org.id === org.id) this.#known.delete(token)
    for (const [hash, session] of this.#unstored) if (session.org.id === org.id) this.#unstored.delete(hash)
  }

  #now(): number {
    return this.#clock().getTime() / 1000
  }

  async #load(hash: string, now: number): Promise<KnownSession | undefined> {
    type SessionRow = {
      userId: string
      scopes: string[]
      idleSeconds: number
      lastUsedAt: number
      orgId: string
      schemaName: string
      orgName: string
    }
    const unstored = this.#unstored.get(hash)
    if (unstored !== undefined) {
      const { org, userId } = unstored
      return this.#sessionOf(org, userId, ['api'], Number.POSITIVE_INFINITY, now, now)
    }
    const [row] = await this.#db.query<SessionRow>(sessionSql.find(hash))
    if (row === undefined) return undefined
    const org: Org = Object.freeze({ id: row.orgId, schemaName: row.schemaName, name: row.orgName })
    return this.#sessionOf(org, row.userId, row.scopes, row.idleSeconds, row.lastUsedAt, now)
  }

  #sessionOf(
    org: Org,
    userId: string,
    scopes: readonly string[],
    idleSeconds: number,
    lastUsedAt: number,
    now: number,
  ): KnownSession {
    return { org, userId, scopes, idleSeconds, lastUsedAt, checkedAt: now * 1000 }
  }

  #remember(token: string, session: KnownSession | undefined): void {
    this.#known.delete(token)
    if (session === undefined) return
    if (this.#known.size >= MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(token, session)
  }
}
