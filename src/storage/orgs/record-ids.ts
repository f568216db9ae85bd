import { makeRecordId } from '../../base/record-id.ts'
import type { Db } from '../database/db.ts'
import type { Org } from './org.ts'
import { orgSql } from './orgs.sql.ts'

/** How many ids one step of the org's sequence stands for. */
const BLOCK = 1000

/** Makes record ids in this process from blocks of the org's sequence. A block that is not used up is lost. */
export class RecordIds {
  readonly #org: Org
  readonly #db: Db
  #next = 0
  #end = 0
  #loading: { readonly db: Db; readonly done: Promise<void> } | undefined

  /** @param db outside any transaction: a rolled back call must not give its block back */
  constructor(org: Org, db: Db) {
    this.#org = org
    this.#db = db
  }

  /**
   * @param place where the caller works. On the embedded engine a transaction holds the only connection, so the block
   * has to come through it; sequences do not roll back, so that is as good.
   */
  async make(keyPrefix: string, location: Db = this.#db): Promise<string> {
    // Outside a transaction it is loaded for all who wait for it, whatever becomes of the one who came first.
    const db = location.isTransaction ? location : this.#db
    while (this.#next >= this.#end) {
      // One load at a time, unless the one under way is in another transaction and may be waiting for ours.
      const shared = this.#loading?.db === db || (this.#loading !== undefined && db === this.#db)
      if (!shared) this.#loading = { db, done: this.#load(db) }
      const loading = this.#loading!
      try {
        await loading.done
      } finally {
        if (this.#loading === loading) this.#loading = undefined
      }
    }
    return makeRecordId(keyPrefix, this.#next++)
  }

  async #load(db: Db): Promise<void> {
    const [row] = await db.query<{ block: number }>(orgSql.nextIdBlock(this.#org))
    this.#next = row!.block * BLOCK
    this.#end = this.#next + BLOCK
  }
}
