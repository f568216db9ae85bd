import { holdExit } from '../../base/exit-hold.ts'
import type { Db } from '../../storage/database/db.ts'
import { databaseFault, isOutdatedPlan } from '../../storage/database/pg-error.ts'
import { metadataSql } from '../snapshot/metadata.sql.ts'

/** How often a change is tried while other transactions hold its tables, and the pause between tries. */
const MAX_TRIES = 100
const PAUSE_MS = 100

/** Another transaction holds a table, or this connection has a plan for its old columns. */
const mayWorkLater = (error: unknown) => databaseFault(error)?.kind === 'locked' || isOutdatedPlan(error)

/**
 * Runs work that needs exclusive table locks, in a transaction. It yields to running calls and is retried until the
 * tables are free, so that no client call fails because of it.
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
      if (!mayWorkLater(error) || tries === MAX_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())))
    }
  }
}
