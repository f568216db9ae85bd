import { holdExit } from '../../base/exit-hold.ts'
import type { Db } from '../../storage/database/db.ts'
import { databaseFault, isOutdatedPlan } from '../../storage/database/pg-error.ts'
import { metadataSql } from '../snapshot/metadata.sql.ts'

/** How often a change steps back from others who hold its tables, and how long it rests then, in milliseconds. */
const TRIES = 100
const REST = 100

/** Others hold a table, or this connection has read it when it had other columns. */
const mayWorkLater = (error: unknown) => databaseFault(error)?.kind === 'locked' || isOutdatedPlan(error)

/**
 * Work that needs tables for itself, in a transaction. It gives way to the calls under way: it tries again until the
 * tables are free for a moment, so that no call of a client has to give up for it.
 */
export const retryOnLockTimeout = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  holdExit(() => tryUntilFree(db, work))

async function tryUntilFree<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction(async (tx) => {
        await tx.script(metadataSql.patience)
        return work(tx)
      })
    } catch (error) {
      if (!mayWorkLater(error) || tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, REST * (0.5 + Math.random())))
    }
  }
}
