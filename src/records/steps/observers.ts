import { CHANGE_EVENTS } from '../events/keep-changes.ts'
import { HISTORY } from '../history/keep-history.ts'
import { planRecord } from '../prepare/planned-record.ts'
import type { Observer, PlannedWrite } from '../prepare/planned-write.ts'
import { makeAuditFields } from './audit-fields.ts'
import type { RecordWrite } from './record-write.ts'
import { completes } from './run-behaviour.ts'

/** Everybody who is told of writes. Whoever else wants to know of them is one more of this list. */
export const OBSERVERS: Observer[] = [HISTORY, CHANGE_EVENTS]

const wants = (
  observer: Observer,
  { ctx, kind, object, records }: PlannedWrite,
  valuesOf: 'prepared' | 'values',
) =>
  kind === 'update'
    ? records.some((record) => observer.wants(ctx, kind, object, record[valuesOf].keys()))
    : observer.wants(ctx, kind, object, [])

/** True if somebody may be told of a write, as far as is known before it begins. */
export function isObserved(write: PlannedWrite): boolean {
  const { ctx, kind, object } = write
  // Which fields the platform completes is known only when it does.
  const isOpen = kind === 'update' && completes(object, 'update')
  return OBSERVERS.some((observer) =>
    isOpen ? observer.wants(ctx, kind, object, object.fields) : wants(observer, write, 'prepared'),
  )
}

/** Tells of records of one object, which the write reaches. */
async function tell(write: RecordWrite, told: PlannedWrite): Promise<void> {
  for (const observer of OBSERVERS)
    if (wants(observer, told, 'values'))
      write.audit = await observer.tell(told, write.audit ?? makeAuditFields(write.ctx))
}

/** Tells everybody who wants to know of a write: of what a deletion or restoration takes along, too. */
export async function tellObservers(write: RecordWrite): Promise<void> {
  const { kind, ctx, reached } = write
  if (kind === 'insert' || kind === 'update') return tell(write, write)
  for (const [object, ids] of reached)
    if (OBSERVERS.some((observer) => observer.wants(ctx, kind, object, [])))
      await tell(write, { ctx, kind, object, records: [...ids].map((id) => planRecord(id, new Map())) })
}

/** Tells those who compare a change with what was before, once it is written. */
export async function tellWritten(write: RecordWrite): Promise<void> {
  for (const observer of OBSERVERS)
    if (observer.written !== undefined && wants(observer, write, 'values'))
      await observer.written(write, write.audit ?? makeAuditFields(write.ctx))
}
