import { ApiError } from '../../base/api-error.ts'
import type { Db } from '../../storage/database/db.ts'
import { examineSql } from './examine.sql.ts'
import type { Step } from './step.ts'

/** Number of locks of a new object until the transaction ends: its table and its indexes. Measured: 19, and some more with own indexes. */
const LOCKS_PER_OBJECT = 20

/** PostgreSQL has spare memory for locks beside what its settings say. Measured: 15,200 locks where they say 6,400. */
const SPARE = 2.5

/** Any database has the locks for as many new objects. */
const ALWAYS_ALLOWED = 200

/**
 * A schema is changed in one transaction, and the database has locks for so many new tables.
 * @throws ApiError DEPLOYMENT_REFUSED before anything is changed
 */
export async function checkLocks(tx: Db, steps: readonly Step[]): Promise<void> {
  const added = steps.filter(({ kind, field }) => kind === 'add' && field === undefined).length
  if (added <= ALWAYS_ALLOWED) return
  const [found] = await tx.query<{ locks: number }>(examineSql.locks)
  const max = Math.max(ALWAYS_ALLOWED, Math.floor((found!.locks * SPARE) / LOCKS_PER_OBJECT))
  if (added <= max) return
  throw new ApiError(
    'DEPLOYMENT_REFUSED',
    `The deployment makes ${added} new objects. The database has locks for ${max} in one transaction: deploy them in parts, or raise its setting max_locks_per_transaction`,
  )
}
