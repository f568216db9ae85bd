import { type Access, SYSTEM_ACCESS } from '../../access/access.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { callersDb } from '../../storage/callers-db.ts'
import type { CoalescedWork } from '../../storage/database/coalescer.ts'
import { isToldByWrite } from '../events/tell-by-write.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import type { PlannedWrite } from '../prepare/planned-write.ts'
import type { Step } from '../steps/record-write.ts'

/** A record that a call writes, with the steps that it needs. */
interface Item {
  readonly write: PlannedWrite
  readonly record: PlannedRecord
  readonly steps: readonly Step[]
}

/** Writes a list of records of one object, in which one that is refused does not keep the others from being written. */
type WriteRecords = (write: PlannedWrite, steps?: readonly Step[]) => Promise<Refusals<PlannedRecord>>

/** Says if the record was refused in a list with those of other calls, where its error may differ from one that it gets alone. */
type Result = Refusals<PlannedRecord> | 'refused with others'

type Work = CoalescedWork<Item, Result>

/**
 * Makes a function that writes one record, together with records that other calls of the same user write to the same
 * object meanwhile. Each call has its own outcome, as if it were the only one.
 */
export function makeWriteTogether(writeRecords: WriteRecords) {
  const makeWork = (): Work => ({
    async run(db, items) {
      const [first] = items as readonly [Item]
      const { org, principal } = first.write.ctx
      const write = { ...first.write, ctx: { ...first.write.ctx, db: callersDb(db, org, principal.userId) } }
      if (items.length === 1) return [await writeRecords(write, first.steps)]
      const { source } = write.ctx
      const isTold = isToldByWrite(write.ctx, write.object, write.kind)
      // A list changes each record once, and tells of all that they were changed by the same client.
      const together = isTold ? items.filter((item) => item.write.ctx.source === source) : items
      const listed = new Map(together.map(({ record }) => [record.id, record]))
      const refusals = await writeRecords({ ...write, records: [...listed.values()], isOfSeveralCalls: true })
      return items.map(({ record }) =>
        listed.get(record.id) === record && !refusals.has(record) ? new Map() : 'refused with others',
      )
    },
    wrote: (result) => result !== 'refused with others' && result.size === 0,
  })
  const worksOf = oncePer<ObjectType, (access: Access) => Work>(() => oncePer(makeWork))

  return async (write: PlannedWrite, steps: readonly Step[]): Promise<Refusals<PlannedRecord>> => {
    const { ctx, object, records } = write
    const alone = () => writeRecords(write, steps)
    // Code that runs without a user shares its access among users.
    if (ctx.access === SYSTEM_ACCESS) return alone()
    const result = await ctx.db.coalesce(worksOf(object)(ctx.access), { write, record: records[0]!, steps })
    return result === 'refused with others' ? alone() : result
  }
}
