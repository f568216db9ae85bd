import { makeRecordId } from '../../base/record-id.ts'
import type { Db } from '../database/db.ts'
import type { Org } from './org.ts'
import { orgSql } from './orgs.sql.ts'

/** Number of ids per step of the org's sequence. */
export const BLOCK_SIZE = 1000

/** Makes record ids in this process from blocks of the org's sequence. The unused rest of a block is lost. */
export class RecordIds {
  readonly #org: Org
  readonly #db: Db
  #next = 0
  #end = 0
  #loading: { readonly db: Db; readonly done: Promise<void> } | undefined

  /** @param db outside any transaction: a rollback must not return its block */
  constructor(org: Org, db: Db) {
    this.#org = org
    this.#db = db
  }

  /**
   * @param callersDb the caller's `Db`. On the embedded engine a transaction holds the only connection, so the block
   * has to be loaded through it; sequences are not rolled back, so that is safe.
   */
  async make(keyPrefix: string, callersDb: Db = this.#db): Promise<string> {
    // Outside a transaction the block is loaded for all who wait, even if the first of them fails.
    const db = callersDb.isTransaction ? callersDb : this.#db
    while (this.#next >= this.#end) {
      // One load at a time, unless the running one is in another transaction, which may be waiting for ours.
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
    this.#next = row!.block * BLOCK_SIZE
    this.#end = this.#next + BLOCK_SIZE
  }
}
