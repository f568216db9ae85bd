import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { isToldByWrite } from '../events/tell-by-write.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'
import type { PlannedWrite, WriteKind } from '../prepare/planned-write.ts'
import { makeAddedWrites } from '../steps/added-writes.ts'
import type { FurtherWrites, RecordWrite, Step, WriteCause } from '../steps/record-write.ts'
import { STEPS } from '../steps/steps.ts'

type About = PlannedWrite & Pick<RecordWrite, 'cause' | 'known'>

const begin = (about: About): RecordWrite => ({ ...about, effects: new Map(), reached: new Map() })

const byWrite = new Map<string, readonly Step[]>()

/** The steps of a kind of write, in order. */
function listSteps(kind: WriteKind, cause: WriteCause): readonly Step[] {
  const key = `${kind} ${cause}`
  const known = byWrite.get(key)
  if (known !== undefined) return known
  const listed = STEPS.filter((step) => step.of[kind]?.includes(cause))
  byWrite.set(key, listed)
  return listed
}

/** A try that was rolled back may have set values: ids of records that do not exist any more, and what was derived. */
function takeBack({ cause, records }: RecordWrite): void {
  for (const record of records) {
    record.values = record.prepared
    if (cause === 'call') record.old = undefined
  }
}

/**
 * Finds the steps that a write needs.
 * @returns undefined if there is one that has to be in one transaction with the others; then all of them are carried out
 */
export function findNeeded(planned: PlannedWrite, cause: WriteCause = 'call'): readonly Step[] | undefined {
  const write = begin({ ...planned, cause })
  takeBack(write)
  const needed: Step[] = []
  for (const step of listSteps(planned.kind, cause)) {
    const need = step.need(write)
    if (need === 'transaction') return undefined
    if (need === 'process') needed.push(step)
  }
  return needed
}

/** True if a change needs nothing but to be written. */
export const isOnlyWritten = (
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  cause: WriteCause = 'call',
): boolean =>
  !isToldByWrite(ctx, object, 'update') &&
  findNeeded({ ctx, kind: 'update', object, records }, cause)?.length === 1

async function run(about: About, steps: readonly Step[]): Promise<void> {
  if (about.records.length === 0) return
  const write = begin(about)
  takeBack(write)
  for (const step of steps) {
    const ending = step.run(write, FURTHER)
    if (ending !== undefined) await ending
  }
  about.ctx.searchIndexes.wrote(about.object, about.records.length)
}

const FURTHER: FurtherWrites = {
  parents: {
    change: (ctx, object, records, known) =>
      run({ ctx, kind: 'update', cause: 'effect', object, records, known }, listSteps('update', 'effect')),
    areOnlyWritten: (ctx, object, records) => isOnlyWritten(ctx, object, records, 'effect'),
  },
  added: makeAddedWrites((ctx, kind, object, records) =>
    run({ ctx, kind, cause: 'added', object, records }, listSteps(kind, 'added')),
  ),
}

/**
 * Carries out the steps of a write that callers ask for.
 * @param steps undefined: all of them, in a transaction
 */
export const runWrite = (planned: PlannedWrite, steps?: readonly Step[]): Promise<void> =>
  run({ ...planned, cause: 'call' }, steps ?? listSteps(planned.kind, 'call'))
