import { ApiError } from '../base/api-error.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { FaultPlan } from './fault-plan.ts'
import type { SetFault } from './fault-store.ts'
import { faultSql } from './faults.sql.ts'

/** A name of dots alone would change the meaning of a path. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,80}$/

/** The plans of an org in the order of their names, with current counts. */
export const listFaults = (db: Db, org: Org): Promise<readonly SetFault[]> =>
  db.query<SetFault>(faultSql.all(org.id))

/**
 * Stores a plan and replaces one of the same name; its counts start from 0.
 * @throws ApiError INVALID_INPUT if the name is not valid
 */
export async function putFault(db: Db, org: Org, name: string, plan: FaultPlan): Promise<void> {
  if (!NAME.test(name)) {
    throw new ApiError('INVALID_INPUT', 'The name of a fault is 1 to 80 of the characters A-Z a-z 0-9 . _ -')
  }
  await db.query(faultSql.put(org.id, name, JSON.stringify(plan)))
}

/** Returns false if there is no plan of that name. */
export async function removeFault(db: Db, org: Org, name: string): Promise<boolean> {
  const [gone] = NAME.test(name) ? await db.query(faultSql.remove(org.id, name)) : []
  return gone !== undefined
}

export async function removeAllFaults(db: Db, org: Org): Promise<void> {
  await db.query(faultSql.removeAll(org.id))
}
