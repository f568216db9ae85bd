import { LRUCache } from 'lru-cache'
import type { ClockOf } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { hashToken, makeAccessToken } from '../oauth/token-text.ts'
import { findStoredSession } from './find-session.ts'
import { RevocationFeed } from './revocation-feed.ts'
import { sessionSql } from './sessions.sql.ts'
import { sweepTokens } from './sweep.ts'

/** What a token stands for. */
export interface Session {
  readonly org: Org
  readonly userId: string
  readonly scopes: readonly string[]
  /** Whom it was given to; undefined: to a command on this machine. */
  readonly clientId: string | undefined
}

/** What a token is given for. */
export interface NewToken extends Session {
  readonly clientId: string
  /** By which grant. */
  readonly grantType: string
  /** What all tokens of one agreement have in common: they are taken away together. */
  readonly family?: string | undefined
  /** How long it lives after its last use; undefined: as the setting says. */
  readonly idleSeconds?: number | undefined
}

interface KnownSession extends Session {
  readonly hash: string
  /** Seconds since 1970. */
  lastUsedAt: number
  readonly idleSeconds: number
}

const MAX_KNOWN = 10_000

/** How often what has expired is deleted, in seconds. */
const SWEEP = 600

/**
 * Access tokens and what they stand for. A token lives a number of seconds after its last use; the last use is
 * written only once half of that time has passed. What this process knows of a token is believed until the feed says
 * that it was taken away, which is at most half a second late. (docs/reference/api/tokens.md#sessions)
 */
export class Sessions {
  readonly #db: Db
  readonly #clockOf: ClockOf
  readonly #idleSeconds: number
  readonly #feed: RevocationFeed
  readonly #given: (token: NewToken) => void
  /** By token: it is in our hands at every call anyway, and hashing costs more than looking up. */
  readonly #known = new LRUCache<string, KnownSession>({
    max: MAX_KNOWN,
    dispose: ({ hash }) => this.#tokens.delete(hash),
  })
  readonly #tokens = new Map<string, string>()
  /** Sessions of this process alone, by the hash of their token. */
  readonly #unstored = new Map<string, { readonly org: Org; readonly userId: string }>()
  /** When what has expired was deleted last, by the ids of orgs, in seconds since 1970. */
  readonly #sweptAt = new Map<string, number>()

  /** @param given is told of each token that was given to an app */
  constructor(db: Db, clockOf: ClockOf, idleSeconds: number, given: (token: NewToken) => void = () => {}) {
    this.#given = given
    this.#db = db
    this.#clockOf = clockOf
    this.#idleSeconds = idleSeconds
    this.#feed = new RevocationFeed(db, {
      drop: (hashes) => this.#drop(hashes),
      dropAll: () => {
        this.#known.clear()
      },
    })
  }

  /**
   * Makes a token; only its hash is stored.
   * @param db where the caller works: in a transaction, that
   */
  async issue(given: NewToken, db: Db = this.#db): Promise<string> {
    const { org, clientId, userId, scopes, grantType, family, idleSeconds = this.#idleSeconds } = given
    const token = makeAccessToken(org.id)
    const issuedAt = this.#now(org)
    db.afterCommit(() => {
      this.#sweep(org, issuedAt)
      this.#given(given)
    })
    const session = { clientId, orgId: org.id, userId, scopes, grantType, issuedAt, idleSeconds }
    await db.query(sessionSql.insert({ ...session, tokenHash: hashToken(token), family: family ?? null }))
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

  /** Undefined: the token is unknown, expired or taken away. */
  async find(token: string): Promise<Session | undefined> {
    const late = this.#feed.catchUp()
    if (late !== undefined) await late
    let session = this.#known.get(token)
    // One that looks expired may have been used in another process.
    if (session === undefined || this.#silence(session) > session.idleSeconds) {
      session = await this.#load(token)
      this.#keep(token, session)
      if (session === undefined || this.#silence(session) > session.idleSeconds) return undefined
    }
    if (this.#silence(session) > session.idleSeconds / 2) {
      const now = this.#now(session.org)
      session.lastUsedAt = now
      await this.#db.query(sessionSql.touch(session.hash, now))
    }
    return session
  }

  /** Something was just taken away in this process: the next call looks. */
  expectRevocations(): void {
    this.#feed.expect()
  }

  /** An org that is gone has no sessions. */
  forget(org: Org): void {
    this.#sweptAt.delete(org.id)
    for (const [token, session] of [...this.#known.entries()]) {
      if (session.org.id === org.id) this.#known.delete(token)
    }
    for (const [hash, session] of this.#unstored) if (session.org.id === org.id) this.#unstored.delete(hash)
  }

  #now(org: Org): number {
    return this.#clockOf(org.id)().getTime() / 1000
  }

  /** Seconds since the last use. */
  #silence({ org, lastUsedAt }: KnownSession): number {
    return this.#now(org) - lastUsedAt
  }

  /** Nobody waits for it, and what it fails to do the next one does. */
  #sweep(org: Org, now: number): void {
    if (Math.abs(now - (this.#sweptAt.get(org.id) ?? 0)) < SWEEP) return
    this.#sweptAt.set(org.id, now)
    // Sessions live by the org's clock, what leads to them by the machine's: what is old is so by both.
    const machine = this.#clockOf(undefined)().getTime() / 1000
    sweepTokens(this.#db, org, Math.min(now, machine)).catch(() => {})
  }

  async #load(token: string): Promise<KnownSession | undefined> {
    const hash = hashToken(token)
    const unstored = this.#unstored.get(hash)
    if (unstored !== undefined) {
      const idleSeconds = Number.POSITIVE_INFINITY
      return { ...unstored, hash, scopes: ['api'], clientId: undefined, idleSeconds, lastUsedAt: 0 }
    }
    const stored = await findStoredSession(this.#db, hash)
    return stored && { ...stored, hash }
  }

  #keep(token: string, session: KnownSession | undefined): void {
    this.#known.delete(token)
    if (session === undefined) return
    this.#known.set(token, session)
    this.#tokens.set(session.hash, token)
  }

  #drop(hashes: readonly string[]): void {
    for (const hash of hashes) {
      const token = this.#tokens.get(hash)
      if (token !== undefined) this.#known.delete(token)
    }
  }
}
