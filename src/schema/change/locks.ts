import { ApiError } from '../../base/api-error.ts'
import type { Db } from '../../storage/database/db.ts'
import { examineSql } from './examine.sql.ts'
import { makesObject, type Step } from './step.ts'

/** Number of locks of a new table until the transaction ends, without those of its indexes, and some to spare. */
const LOCKS_PER_TABLE = 10

/** PostgreSQL has spare memory for locks beside what its settings say. Measured: 15,200 locks where they say 6,400; other calls need some. */
const SPARE = 2

/** Any database has these locks. */
const ALWAYS_ALLOWED = 3000

/**
 * A schema is changed in one transaction, and the database has locks for so many new tables and indexes.
 * @param steps that are carried out in it
 * @throws ApiError DEPLOYMENT_REFUSED before anything is changed
 */
export async function checkLocks(tx: Db, steps: readonly Step[]): Promise<void> {
  const tables = steps.filter((step) => makesObject(step) && step.statements.length > 0).length
  const indexes = steps.reduce(
    (count, { statements }) => count + statements.filter(({ phase }) => phase === 'create indexes').length,
    0,
  )
  const locks = tables * LOCKS_PER_TABLE + indexes
  if (locks <= ALWAYS_ALLOWED) return
  const [found] = await tx.query<{ locks: number }>(examineSql.locks)
  const max = Math.max(ALWAYS_ALLOWED, Math.floor(found!.locks * SPARE))
  if (locks <= max) return
  throw new ApiError(
    'DEPLOYMENT_REFUSED',
    `The deployment makes ${tables} tables and ${indexes} indexes, with ${locks} locks in one transaction. The database has ${max}: deploy in parts, or raise its setting max_locks_per_transaction`,
  )
}
