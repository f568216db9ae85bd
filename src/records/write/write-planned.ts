import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import { isHeavy } from './batches.ts'
import { findDuplicates } from './duplicate-value.ts'
import { findProtected } from './find-protected.ts'
import type { WriteKind } from './record-write.ts'
import { findNeeded, runWrite } from './run-write.ts'
import { writeList } from './write-list.ts'
import { makeWriteTogether } from './write-together.ts'

/** Finds the records that caused a failure of the database. */
const explain = (ctx: Context, kind: WriteKind, object: ObjectType) =>
  kind === 'delete'
    ? (failure: unknown, left: readonly PlannedRecord[]) => findProtected(ctx, object, failure, left)
    : (failure: unknown, left: readonly PlannedRecord[]) => findDuplicates(ctx, object, failure, left)

function writeAll(
  ctx: Context,
  kind: WriteKind,
  object: ObjectType,
  records: readonly PlannedRecord[],
  allOrNone: boolean,
): Promise<Refusals<PlannedRecord>> {
  const steps = findNeeded(ctx, kind, object, records)
  return writeList(ctx, records, {
    allOrNone,
    transaction: steps === undefined,
    write: (inside, left) => runWrite(inside, kind, object, left, steps),
    explain: explain(ctx, kind, object),
  })
}

const makeTogether = (kind: WriteKind) =>
  makeWriteTogether((ctx, object, records) => writeAll(ctx, kind, object, records, false))

const together = { insert: makeTogether('insert'), update: makeTogether('update') }

/**
 * Writes records of one object. One that needs a single statement is written together with those of other calls.
 * @param object whatever the caller may see of it; the caller's permission is checked
 * @returns the refused records; with `allOrNone`, nothing was written if there are any
 */
export function writePlanned(
  ctx: Context,
  kind: WriteKind,
  object: ObjectType,
  records: readonly PlannedRecord[],
  allOrNone: boolean,
): Promise<Refusals<PlannedRecord>> {
  const [first] = records
  const mayJoin = kind === 'insert' || kind === 'update'
  if (
    mayJoin &&
    records.length === 1 &&
    !isHeavy(first!) &&
    findNeeded(ctx, kind, object, records) !== undefined
  )
    return together[kind](ctx, object, first!)
  return writeAll(ctx, kind, object, records, allOrNone)
}
