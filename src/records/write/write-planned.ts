import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import type { PlannedWrite } from '../prepare/planned-write.ts'
import { isHeavy } from '../steps/batches.ts'
import type { Step } from '../steps/record-write.ts'
import { findDuplicates } from './duplicate-value.ts'
import { findProtected } from './find-protected.ts'
import { findNeeded, runWrite } from './run-write.ts'
import { writeList } from './write-list.ts'
import { makeWriteTogether } from './write-together.ts'

/** @param steps undefined: all of them, in a transaction */
function writeAll(
  write: PlannedWrite,
  allOrNone: boolean,
  steps: readonly Step[] | undefined,
): Promise<Refusals<PlannedRecord>> {
  const { ctx, kind, object } = write
  const findFailed = kind === 'delete' ? findProtected : findDuplicates
  return writeList(ctx, write.records, {
    allOrNone,
    transaction: steps === undefined,
    write: (inside, records) => runWrite({ ...write, ctx: inside, records }, steps),
    explain: (failure, left) => findFailed(ctx, object, failure, left),
  })
}

const makeTogether = () =>
  makeWriteTogether((write, steps = findNeeded(write)) => writeAll(write, false, steps))

const together = { insert: makeTogether(), update: makeTogether() }

/**
 * Writes records of one object, whose permission was checked. One that needs a single statement is written together with those of
 * other calls.
 * @returns the refused records; with `allOrNone`, nothing was written if there are any
 */
export function writePlanned(write: PlannedWrite, allOrNone: boolean): Promise<Refusals<PlannedRecord>> {
  const { kind, records } = write
  const steps = findNeeded(write)
  const isAlone = records.length === 1 && !isHeavy(records[0]!)
  if (isAlone && steps !== undefined && (kind === 'insert' || kind === 'update'))
    return together[kind](write, steps)
  return writeAll(write, allOrNone, steps)
}
