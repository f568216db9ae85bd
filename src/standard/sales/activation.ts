import type { KeptRecords } from '../behaviour/behaviour.ts'
import type { DerivedRecord } from '../behaviour/derived-record.ts'
import { activationSql } from './orders.sql.ts'

/** Who activated a contract or an order, and when, unless the write says so itself. */
export function noteActivation(record: DerivedRecord): void {
  if (record.isOpen('ActivatedDate')) record.set('ActivatedDate', record.facts.now)
  if (record.isOpen('ActivatedById')) record.set('ActivatedById', record.facts.userId)
}

/** Contracts and orders are kept while they are activated. */
export const keepActivated = (table: 'contract' | 'order'): KeptRecords => ({
  async find({ db, org }, ids) {
    const rows = await db.query<{ id: string }>(activationSql.activated(org, table, ids))
    return rows.map(({ id }) => id)
  },
  message: `unable to modify activated ${table}`,
})
