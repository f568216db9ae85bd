import type { DerivedRecord } from './derived-record.ts'

/** Who activated a contract or an order, and when, unless the write says so itself. */
export function noteActivation(record: DerivedRecord): void {
  if (!record.isGiven('ActivatedDate')) record.set('ActivatedDate', record.facts.now)
  if (!record.isGiven('ActivatedById')) record.set('ActivatedById', record.facts.userId)
}
