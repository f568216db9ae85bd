import type { RecordBody } from '../../schema/snapshot/record-format.sql.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import { readRecords } from '../read/read.ts'
import type { RecordWrite } from './record-write.ts'
import { hasTrigger, runTriggers } from './triggers.ts'
import { getIds, refuseMissing } from './write-changes.ts'

/** Reads the records as triggers see them before the write, and locks them until the transaction ends. */
export async function lockOld({
  kind,
  ctx,
  object,
  records,
}: RecordWrite): Promise<ReadonlyMap<string, RecordBody>> {
  const old = await namingLocked(ctx, getIds(records), () =>
    readRecords(ctx, object, records, 'living, locked'),
  )
  // The deletion itself says which records are not there.
  if (kind === 'update' && records.some(({ id }) => !old.has(id))) await refuseMissing(ctx, object, records)
  return old
}

/** The records that triggers of a deletion see. Records deleted by cascade do not run triggers. */
const listDeleted = ({ records, old }: RecordWrite) =>
  records.flatMap((item) => {
    const before = old?.get(item.id)
    return before === undefined ? [] : [{ item, old: before, record: undefined }]
  })

export async function runBeforeDelete(write: RecordWrite): Promise<void> {
  const fired = listDeleted(write)
  if (fired.length > 0) await runTriggers(write.ctx, write.object, 'beforeDelete', fired)
}

const AFTER = {
  insert: 'afterInsert',
  update: 'afterUpdate',
  delete: 'afterDelete',
  undelete: 'afterUndelete',
} as const

export async function runAfterTriggers(write: RecordWrite): Promise<void> {
  const { kind, ctx, object, records, old } = write
  const time = AFTER[kind]
  if (kind === 'delete') {
    const fired = listDeleted(write)
    if (fired.length > 0) await runTriggers(ctx, object, time, fired)
    return
  }
  if (!hasTrigger(ctx, object, time)) return
  const written = await readRecords(ctx, object, records)
  const before = kind === 'update' ? old : undefined
  const fired = records.map((item) => ({ item, record: written.get(item.id), old: before?.get(item.id) }))
  await runTriggers(ctx, object, time, fired)
}
