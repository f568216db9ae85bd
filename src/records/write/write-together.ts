import { type Access, SYSTEM_ACCESS } from '../../access/access.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { callersDb } from '../../storage/callers-db.ts'
import type { CoalescedWork } from '../../storage/database/coalescer.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'

/** A record that a call writes. */
interface Item {
  readonly ctx: Context
  readonly record: PlannedRecord
}

/** Writes a list of records of one object, in which one that is refused does not keep the others from being written. */
type WriteRecords = (
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
) => Promise<Refusals<PlannedRecord>>

/** Whether the record was refused in a list with those of other calls, where its error may differ from one that it gets alone. */
type Result = Refusals<PlannedRecord> | 'refused with others'

type Work = CoalescedWork<Item, Result>

/**
 * Makes a function that writes one record, together with records that other calls of the same user write to the same
 * object meanwhile. Each call has its own outcome, as if it were the only one.
 */
export function makeWriteTogether(writeRecords: WriteRecords) {
  const works = new WeakMap<ObjectType, WeakMap<Access, Work>>()

  const makeWork = (object: ObjectType): Work => ({
    async run(db, items) {
      const [first] = items as readonly [Item]
      const { org, principal } = first.ctx
      const ctx = { ...first.ctx, db: callersDb(db, org, principal.userId) }
      if (items.length === 1) return [await writeRecords(ctx, object, [first.record])]
      // A list changes each record once.
      const listed = new Map(items.map(({ record }) => [record.id, record]))
      const refusals = await writeRecords(ctx, object, [...listed.values()])
      return items.map(({ record }) =>
        listed.get(record.id) === record && !refusals.has(record) ? new Map() : 'refused with others',
      )
    },
    wrote: (result) => result !== 'refused with others' && result.size === 0,
  })

  return async (
    ctx: Context,
    object: ObjectType,
    record: PlannedRecord,
  ): Promise<Refusals<PlannedRecord>> => {
    const alone = () => writeRecords(ctx, object, [record])
    // Code that runs without a user shares its access among users.
    if (ctx.access === SYSTEM_ACCESS) return alone()
    const byAccess = getOrInsert(works, object, () => new WeakMap<Access, Work>())
    const work = getOrInsert(byAccess, ctx.access, () => makeWork(object))
    const result = await ctx.db.coalesce(work, { ctx, record })
    return result === 'refused with others' ? alone() : result
  }
}
