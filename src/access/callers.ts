import { makePrincipal, type Principal } from '../auth/users/principal.ts'
import { findGuest, findUser, findUserByName, type User } from '../auth/users/users.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import type { SnapshotStore } from '../schema/change/snapshot-store.ts'
import type { SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { Access } from './access.ts'
import { loadMemberships, loadSets } from './load-memberships.ts'
import { loadRights } from './load-rights.ts'
import type { Rights } from './rights.ts'

/** Maximum age of cached callers. The number of records that they see changes even without new grants. */
const MAX_AGE_MS = 60_000

/** Cache key of the guest user; not a valid user id. */
const GUEST = 'guest'

/** A calling user with its access. */
export interface Caller {
  readonly user: User
  readonly principal: Principal
  readonly access: Access
}

/**
 * Cached callers of one org. They are valid until the org's access version changes. That version is read together with
 * the schema version, at most twice a second, so a change is visible everywhere within a second.
 */
export class Callers {
  readonly #db: Db
  readonly #org: Org
  readonly #snapshots: SnapshotStore
  #version = -1
  #since = 0
  #known = new Map<string, Promise<Caller | undefined>>()
  /** Rights by profile and permission sets, which many users share. */
  #rights = new Map<string, Promise<Rights>>()

  constructor(db: Db, org: Org, snapshots: SnapshotStore) {
    this.#db = db
    this.#org = org
    this.#snapshots = snapshots
  }

  /** Undefined when the user does not exist or is inactive. */
  of(userId: string): Promise<Caller | undefined> {
    return this.#cache(userId, () => findUser(this.#db, this.#org, userId))
  }

  /** Finds a caller by username, without case. */
  named(username: string): Promise<Caller | undefined> {
    const find = () => findUserByName(this.#db, this.#org, username)
    return this.#cache(`named ${username.toLowerCase()}`, find)
  }

  /** The caller of requests without a token; undefined when the org has no active guest. */
  guest(): Promise<Caller | undefined> {
    return this.#cache(GUEST, () => findGuest(this.#db, this.#org))
  }

  async #cache(key: string, find: () => Promise<User | undefined>): Promise<Caller | undefined> {
    const current = this.#snapshots.current()
    const schema = current instanceof Promise ? await current : current
    const { version, changedAt } = this.#snapshots.access
    const now = Date.now()
    if (version !== this.#version || now - this.#since > MAX_AGE_MS) {
      this.#version = version
      this.#since = now
      this.#known = new Map()
      this.#rights = new Map()
    }
    const known = this.#known
    let caller = known.get(key)
    if (caller === undefined) {
      caller = this.#load(find, schema, changedAt)
      known.set(key, caller)
      // Do not cache a failed load.
      caller.catch(() => known.delete(key))
    }
    return caller
  }

  async #load(
    find: () => Promise<User | undefined>,
    schema: SchemaSnapshot,
    changedAt: Date,
  ): Promise<Caller | undefined> {
    const user = await find()
    if (user?.isActive !== true) return undefined
    const rights = await this.#loadRights(user, this.#rights)
    const memberships = await loadMemberships(this.#db, this.#org, schema, user)
    const access = new Access(rights, memberships, changedAt)
    return Object.freeze({ user, principal: makePrincipal(user), access })
  }

  async #loadRights(user: User, known: Map<string, Promise<Rights>>): Promise<Rights> {
    const { profileId } = user
    const sets = (await loadSets(this.#db, this.#org, user)).sort()
    const key = `${profileId} ${sets}`
    return getOrInsert(known, key, () => {
      const rights = loadRights(this.#db, this.#org, profileId, sets)
      rights.catch(() => known.delete(key))
      return rights
    })
  }
}
