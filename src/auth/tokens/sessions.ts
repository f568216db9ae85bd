import { LRUCache } from 'lru-cache'
import { serverTooBusy } from '../../base/api-error.ts'
import type { ClockOf } from '../../base/clock.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Db } from '../../storage/database/db.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { LoginApi } from '../history/login-history.sql.ts'
import { hashToken, makeAccessToken } from '../oauth/token-text.ts'
import { findStoredSession } from './find-session.ts'
import { RevocationFeed } from './revocation-feed.ts'
import { type LineEnd, type NewSession, sessionSql } from './sessions.sql.ts'
import { sweepTokens } from './sweep.ts'

/** The session that an access token belongs to. */
export interface Session {
  readonly org: Org
  readonly userId: string
  readonly scopes: readonly string[]
  /** The client it was issued to; undefined for a command on this machine. */
  readonly clientId: string | undefined
}

/** Parameters of a new token. */
interface NewToken extends Session {
  readonly clientId: string
  /** The grant by which it is issued. */
  readonly grantType: string
  /** Links all tokens of one approval, which are revoked together. */
  readonly family?: string | undefined
  /** Hash of the access token under which it is issued; it ends with that one. */
  readonly parentTokenHash?: string | undefined
  /** Address of the client as returned by `addressKey`. */
  readonly address?: string | undefined
  /** The API of the log-in, where it was not the token endpoint. */
  readonly loginApi?: LoginApi | undefined
  /** How long it lives after its last use; undefined: the setting applies. */
  readonly idleSeconds?: number | undefined
}

interface KnownSession extends Session {
  readonly hash: string
  /** Seconds since 1970. */
  lastUsedAt: number
  /** True if the database took no writes when the last use was to be stored. */
  isUseUnstored?: boolean
  readonly idleSeconds: number
  /** As in a stored session. */
  readonly ends: readonly LineEnd[] | null
}

/** A lookup of a session, whose result is outdated if the session is dropped meanwhile. */
interface Lookup {
  isOutdated: boolean
}

const MAX_KNOWN = 10_000

/** Interval of trying whether the database takes writes again, in milliseconds. */
const TRY_WRITES_MS = 500

/** Rolls back a transaction that was to show whether there can be one. */
class Undone extends Error {}

/** Interval of deleting expired rows. */
const SWEEP_SECONDS = 600

/**
 * Access tokens and their sessions. A token lives a number of seconds after its last use; the last use is written only
 * once half of that time has passed. Cached sessions are used until the feed reports their revocation, which takes at
 * most half a second. (docs/reference/api/tokens.md#sessions)
 */
export class Sessions {
  readonly #db: Db
  readonly #clockOf: ClockOf
  readonly #idleSeconds: number
  readonly #feed: RevocationFeed
  readonly #onIssue: (token: NewToken) => void
  /** By token rather than hash: every call has the token, and hashing costs more than the lookup. */
  readonly #known = new LRUCache<string, KnownSession>({
    max: MAX_KNOWN,
    dispose: ({ hash }) => this.#tokens.delete(hash),
  })
  readonly #tokens = new Map<string, string>()
  /** Lookups that are under way, by the hash of their token. */
  readonly #loading = new Map<string, Set<Lookup>>()
  /** Sessions of this process only, by the hash of their token. */
  readonly #unstored = new Map<string, { readonly org: Org; readonly userId: string }>()
  /** Sessions that were begun while the database takes no writes, by the hash of their token. */
  readonly #unwritten = new Map<string, { readonly org: Org; readonly session: NewSession }>()
  #tryingWrites: NodeJS.Timeout | undefined
  /** When expired rows were last deleted, by org id, in seconds since 1970. */
  readonly #sweptAt = new Map<string, number>()

  /** @param onIssue called for each token that was issued to an app */
  constructor(db: Db, clockOf: ClockOf, idleSeconds: number, onIssue: (token: NewToken) => void = () => {}) {
    this.#onIssue = onIssue
    this.#db = db
    this.#clockOf = clockOf
    this.#idleSeconds = idleSeconds
    this.#feed = new RevocationFeed(db, {
      drop: (hashes) => this.#drop(hashes),
      dropAll: () => {
        this.#known.clear()
        this.#outdate(this.#loading.keys())
      },
    })
  }

  /**
   * Issues a token; only its hash is stored.
   * @param db the transaction of `issuing`, where somebody else may end access
   */
  async issue(given: NewToken, db: Db = this.#db): Promise<string> {
    const { org } = given
    const { token, session } = this.#make(given)
    db.afterCommit(() => {
      this.#sweep(org, session.issuedAt)
      this.#onIssue(given)
    })
    await db.query(sessionSql.insert(session))
    return token
  }

  /**
   * Issues a token that is valid in this process while the database takes no writes. It is not stored afterwards: it would
   * have missed whatever ended access meanwhile.
   * @throws ApiError SERVER_UNAVAILABLE when there are too many of them
   */
  issueUnwritten(given: NewToken): string {
    if (this.#unwritten.size >= MAX_KNOWN) throw serverTooBusy()
    const { token, session } = this.#make(given)
    this.#unwritten.set(session.tokenHash, { org: given.org, session })
    this.#tryingWrites ??= setInterval(() => void this.#tryWrites(session), TRY_WRITES_MS).unref()
    this.#onIssue(given)
    return token
  }

  #make(given: NewToken): { readonly token: string; readonly session: NewSession } {
    const { org, clientId, userId, scopes, grantType, family, idleSeconds = this.#idleSeconds } = given
    const token = makeAccessToken(org.id)
    const links = { family: family ?? null, parentTokenHash: given.parentTokenHash ?? null }
    const times = { issuedAt: this.#now(org), idleSeconds }
    const tokenHash = hashToken(token)
    return {
      token,
      session: { clientId, orgId: org.id, userId, scopes, grantType, tokenHash, ...links, ...times },
    }
  }

  /** Ends the unwritten sessions once one of them could be written. */
  async #tryWrites(session: NewSession): Promise<void> {
    try {
      await this.#db.transaction(async (tx) => {
        await tx.query(sessionSql.insert(session))
        throw new Undone()
      })
    } catch (error) {
      if (databaseFault(error)?.kind === 'unreachable') return
    }
    const hashes = [...this.#unwritten.keys()]
    this.#unwritten.clear()
    this.#drop(hashes)
    clearInterval(this.#tryingWrites)
    this.#tryingWrites = undefined
  }

  /**
   * Issues a token that is valid for the data as long as this process runs, whatever the settings are, and in no other
   * process: it is not stored, so it ends with the process. It is for commands on this machine alone.
   */
  issueUnstored(org: Org, userId: string): string {
    const token = makeAccessToken(org.id)
    this.#unstored.set(hashToken(token), { org, userId })
    return token
  }

  /** Undefined if the token is unknown, expired or revoked. */
  async find(token: string): Promise<Session | undefined> {
    const late = this.#feed.catchUp()
    if (late !== undefined) await late
    let session = this.#known.get(token)
    // A token that looks expired may have been used in another process.
    if (session === undefined || this.#isExpired(session)) {
      session = await this.#loadCurrent(token)
      this.#keep(token, session)
      if (session === undefined || this.#isExpired(session)) return undefined
    }
    const isUseDue = session.isUseUnstored || this.#silence(session) > session.idleSeconds / 2
    if (!isUseDue || (await this.#storeUse(session))) return session
    this.#drop([session.hash])
    return undefined
  }

  /** Loads a session, again if a revocation became known before its row arrived. */
  async #loadCurrent(token: string): Promise<KnownSession | undefined> {
    const hash = hashToken(token)
    const lookups = getOrInsert(this.#loading, hash, () => new Set())
    for (;;) {
      const lookup: Lookup = { isOutdated: false }
      lookups.add(lookup)
      try {
        const session = await this.#load(hash)
        if (!lookup.isOutdated) return session
      } finally {
        lookups.delete(lookup)
        if (lookups.size === 0 && this.#loading.get(hash) === lookups) this.#loading.delete(hash)
      }
    }
  }

  #outdate(hashes: Iterable<string>): void {
    for (const hash of hashes) for (const lookup of this.#loading.get(hash) ?? []) lookup.isOutdated = true
  }

  /** Makes the next call load revocations, after one in this process. */
  expectRevocations(): void {
    this.#feed.expect()
  }

  /** Drops the sessions of a deleted org. */
  forget(org: Org): void {
    this.#sweptAt.delete(org.id)
    for (const [token, session] of [...this.#known.entries()]) {
      if (session.org.id === org.id) this.#known.delete(token)
    }
    for (const [hash, session] of this.#unstored) if (session.org.id === org.id) this.#unstored.delete(hash)
    this.#outdate(this.#loading.keys())
  }

  /**
   * While the database takes no writes the token is valid, and the next call tries again.
   * @returns false if a stored session is gone
   */
  async #storeUse(session: KnownSession): Promise<boolean> {
    const now = this.#now(session.org)
    session.lastUsedAt = now
    session.isUseUnstored = false
    try {
      const touched = await this.#db.query(sessionSql.touch(session.hash, now))
      return touched.length > 0 || this.#unwritten.has(session.hash)
    } catch (error) {
      if (databaseFault(error) === undefined) throw error
      session.isUseUnstored = true
      return true
    }
  }

  #now(org: Pick<Org, 'id'>): number {
    return this.#clockOf(org.id)().getTime() / 1000
  }

  /** Seconds since the last use. */
  #silence({ org, lastUsedAt }: KnownSession): number {
    return this.#now(org) - lastUsedAt
  }

  #isExpired(session: KnownSession): boolean {
    if (this.#silence(session) > session.idleSeconds) return true
    return session.ends?.some(({ orgId, endsAt }) => this.#now({ id: orgId }) > endsAt) === true
  }

  /** Runs in the background; if it fails, the next run does the work. */
  #sweep(org: Org, now: number): void {
    if (Math.abs(now - (this.#sweptAt.get(org.id) ?? 0)) < SWEEP_SECONDS) return
    this.#sweptAt.set(org.id, now)
    // Sessions use the org's clock, codes the system clock: rows are deleted when they are old by both.
    const machine = this.#clockOf(undefined)().getTime() / 1000
    sweepTokens(this.#db, org, Math.min(now, machine)).catch(() => {})
  }

  async #load(hash: string): Promise<KnownSession | undefined> {
    const unstored = this.#unstored.get(hash)
    if (unstored !== undefined) {
      const idleSeconds = Number.POSITIVE_INFINITY
      return {
        ...unstored,
        hash,
        scopes: ['api'],
        clientId: undefined,
        idleSeconds,
        lastUsedAt: 0,
        ends: null,
      }
    }
    const unwritten = this.#unwritten.get(hash)
    if (unwritten !== undefined) {
      const { org, session } = unwritten
      return { ...session, org, hash, lastUsedAt: session.issuedAt, ends: null }
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
    this.#outdate(hashes)
    for (const hash of hashes) {
      const token = this.#tokens.get(hash)
      if (token !== undefined) this.#known.delete(token)
    }
  }
}
