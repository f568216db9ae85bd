import type { DerivedRecord } from './derived-record.ts'

/** Who activated a contract or an order, and when, unless the write says so itself. */
export function noteActivation(record: DerivedRecord): void {
  if (record.isOpen('ActivatedDate')) record.set('ActivatedDate', record.facts.now)
  if (record.isOpen('ActivatedById')) record.set('ActivatedById', record.facts.userId)
}
