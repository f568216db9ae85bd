import { randomBytes } from 'node:crypto'
import { serverTooBusy } from '../../base/api-error.ts'
import type { CoalescedWork } from '../../storage/database/coalescer.ts'
import type { Db } from '../../storage/database/db.ts'
import { ABSENCE_MS } from './bayeux.ts'
import { type ClientChange, type ClientRow, type Owner, streamClientSql } from './stream-client.sql.ts'

/** A channel that a client follows. */
export interface Subscription {
  readonly channel: string
  /** Up to here the client has received what there is. */
  readonly position: number
  /** Up to here it was sent by the latest answer, which may have been lost. */
  readonly sent?: number
}

/** A client that follows events. */
export interface StreamClient {
  readonly id: string
  /** Another one with each change. */
  readonly version: string
  /** Its latest connect. */
  readonly connect: string | null
  readonly subscriptions: readonly Subscription[]
  /** JSON: id of the message that was answered with events; null: none, or it had no id. */
  readonly sentBy: string | null
}

/** What a change may give. */
type Changes = Partial<Pick<StreamClient, 'connect' | 'subscriptions' | 'sentBy'>>

const SECRET_BYTES = 20

/** How often a change is tried that others came before. */
const MAX_TRIES = 20

const makeKey = () => randomBytes(SECRET_BYTES).toString('hex')

const toRow = (client: StreamClient): ClientRow => ({
  ...client,
  subscriptions: JSON.stringify(client.subscriptions),
})

const fromRow = (row: ClientRow): StreamClient => ({ ...row, subscriptions: JSON.parse(row.subscriptions) })

/** An event wakes many clients at once, which are found and changed together. */
const FINDING: CoalescedWork<string, (ClientRow & { orgId: string; userId: string }) | undefined> = {
  async run(db, ids) {
    const rows = await db.query<ClientRow & { orgId: string; userId: string }>(streamClientSql.find(ids))
    const found = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => found.get(id))
  },
}

/** True for a change that is stored. */
const CHANGING: CoalescedWork<ClientChange, boolean> = {
  async run(db, changes) {
    const rows = await db.query<{ id: string; version: string }>(streamClientSql.update(changes))
    const versions = new Map(rows.map(({ id, version }) => [id, version]))
    return changes.map(({ row }) => versions.get(row.id) === row.version)
  },
  wrote: (isStored) => isStored,
}

/**
 * The clients that follow events, in the database: each goes on with any process. A change is stored if nobody was faster, and made
 * again of what there is otherwise, so no lock is held while events are read. (docs/adr/0045-cometd-clients.md)
 */
export class StreamClients {
  readonly #db: Db
  readonly #max: number
  /** The newest of those that are being made, by the id of the org. */
  readonly #opening = new Map<string, Promise<void>>()

  /** @param max clients that an org may have at a time */
  constructor(db: Db, max: number) {
    this.#db = db
    this.#max = max
  }

  /** @returns the id of a new client; undefined: there are too many */
  open(owner: Owner): Promise<string | undefined> {
    // One after the other in this process too: those who wait for the lock of the org would hold connections that all calls share.
    const { id } = owner.org
    const opened = (this.#opening.get(id) ?? Promise.resolve()).then(() => this.#open(owner))
    const settled = opened.then(
      () => {},
      () => {},
    )
    this.#opening.set(id, settled)
    settled.finally(() => {
      if (this.#opening.get(id) === settled) this.#opening.delete(id)
    })
    return opened
  }

  #open(owner: Owner): Promise<string | undefined> {
    const client = { id: makeKey(), version: makeKey(), connect: null, subscriptions: [], sentBy: null }
    return this.#db.transaction(async (tx) => {
      await tx.query(streamClientSql.lock(owner.org))
      await tx.query(streamClientSql.deleteAbsent(owner.org))
      const [made] = await tx.query<{ id: string }>(
        streamClientSql.insert(toRow(client), owner, { max: this.#max, life: ABSENCE_MS }),
      )
      return made?.id
    })
  }

  /** @returns undefined: there is no such client, or it is somebody else's */
  async find(id: string, owner: Owner): Promise<StreamClient | undefined> {
    const found = await this.#db.coalesce(FINDING, id)
    if (found === undefined || found.orgId !== owner.org.id || found.userId !== owner.userId) return undefined
    const { orgId, userId, ...row } = found
    return fromRow(row)
  }

  /**
   * Stores what became of the connect of a client as it was found: from now on the client is away.
   * @returns undefined: it was changed or closed meanwhile, and nothing is stored
   */
  release(client: StreamClient, changes: Changes): Promise<StreamClient | undefined> {
    return this.#store(client, changes, { life: ABSENCE_MS, isShortened: true })
  }

  /**
   * Changes a client that has sent a message.
   * @param decide is asked again when others were faster
   * @param held how long the client may be held, in milliseconds
   * @returns undefined: there is no such client
   */
  async change(
    id: string,
    owner: Owner,
    decide: (client: StreamClient) => Changes,
    held = 0,
  ): Promise<StreamClient | undefined> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const client = await this.find(id, owner)
      if (client === undefined) return undefined
      const life = held + ABSENCE_MS
      const changed = await this.#store(client, decide(client), { life, isShortened: false })
      if (changed !== undefined) return changed
    }
    throw serverTooBusy()
  }

  async #store(
    client: StreamClient,
    changes: Changes,
    expiry: Pick<ClientChange, 'life' | 'isShortened'>,
  ): Promise<StreamClient | undefined> {
    const changed = { ...client, ...changes, version: makeKey() }
    const change = { row: toRow(changed), before: client.version, ...expiry }
    return (await this.#db.coalesce(CHANGING, change)) ? changed : undefined
  }

  /** @returns false: there was no such client */
  async close(id: string, owner: Owner): Promise<boolean> {
    const closed = await this.#db.query(streamClientSql.delete(id, owner))
    return closed.length > 0
  }

  /** The versions that clients have by now, by id. Those that are gone have none. */
  async versions(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#db.query<{ id: string; version: string }>(streamClientSql.versions(ids))
    return new Map(rows.map(({ id, version }) => [id, version]))
  }
}
