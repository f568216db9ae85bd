import { type Access, SYSTEM_ACCESS } from '../../access/access.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { CoalescedWork } from '../../storage/database/coalescer.ts'
import type { ColumnValue, Db } from '../../storage/database/db.ts'
import { planRecord } from '../prepare/planned-record.ts'
import { makeAuditFields } from '../steps/audit-fields.ts'
import { writeSql } from '../steps/write.sql.ts'
import { clearBooleans } from '../steps/write-changes.ts'
import { findDuplicates } from './duplicate-value.ts'

/** A change of the record whose key has a value. */
interface Item {
  readonly ctx: Context
  readonly value: Exclude<ColumnValue, null>
  readonly values: RecordValues
}

/** The id of the changed record; undefined if no record has the key. */
type Result = string | 'another call has the key' | undefined

type Work = CoalescedWork<Item, Result>

/** Maximum number of keys and field lists of an object whose changes are put together, for each user. */
const MAX_WORKS = 100

/** Longer lists of fields have no work, in characters. */
const MAX_NAMES = 8000

const worksOf = oncePer<ObjectType, (access: Access) => Map<string, Work>>(() => oncePer(() => new Map()))

async function updateOne(db: Db, object: ObjectType, key: Field, item: Item): Promise<string | undefined> {
  const { ctx, value, values } = item
  const audit = makeAuditFields(ctx)
  const statement = writeSql.updateByKey(ctx.org, object, key, value, clearBooleans(values), audit)
  const [row] = await db.attempt((inside) => inside.query<{ id: string }>(statement))
  return row?.id
}

/** Changes records of several calls in one statement, which changes each record only once. */
function makeWork(object: ObjectType, key: Field, fields: readonly Field[]): Work {
  return {
    async run(db, items) {
      const [first] = items as readonly [Item]
      if (items.length === 1) return [await updateOne(db, object, key, first)]
      const { ctx } = first
      const records = items.map(({ value, values }, index) =>
        planRecord(String(index), new Map([[key, value], ...clearBooleans(values)])),
      )
      const statement = writeSql.updateManyByKey(ctx.org, object, key, fields, records, makeAuditFields(ctx))
      const rows = await db.query<{ item: string; id: string }>(statement)
      const ids = new Map(rows.map(({ item, id }) => [Number(item), id]))
      const keys = items.map(({ value }) => fold(value))
      const isRepeated = (index: number) => keys.indexOf(keys[index]!) !== keys.lastIndexOf(keys[index]!)
      return items.map(
        (_, index) => ids.get(index) ?? (isRepeated(index) ? 'another call has the key' : undefined),
      )
    },
    wrote: (result) => result !== undefined && result !== 'another call has the key',
  }
}

/** Values that differ here are different keys, whatever the key's case and collation. */
const fold = (value: unknown) => String(value).toUpperCase().toLowerCase()

/**
 * Finds and changes a record in one statement, together with changes that other calls of the same user make meanwhile.
 * @returns id of the record; undefined if no record has the key
 */
export async function updateByKey(
  ctx: Context,
  object: ObjectType,
  key: Field,
  value: Exclude<ColumnValue, null>,
  values: RecordValues,
): Promise<string | undefined> {
  const item = { ctx, value, values }
  const work = ctx.access === SYSTEM_ACCESS ? undefined : findWork(ctx, object, key, values)
  try {
    const found = work === undefined ? undefined : await ctx.db.coalesce(work, item)
    const isUnknown = work === undefined || found === 'another call has the key'
    return isUnknown ? await updateOne(ctx.db, object, key, item) : found
  } catch (failure) {
    const record = planRecord('', values)
    throw (await findDuplicates(ctx, object, failure, [record])).get(record) ?? failure
  }
}

function findWork(ctx: Context, object: ObjectType, key: Field, values: RecordValues): Work | undefined {
  const known = worksOf(object)(ctx.access)
  const fields = [...values.keys()]
  const name = [key, ...fields].map(({ column }) => column).join(' ')
  const work = known.get(name)
  if (work !== undefined || known.size >= MAX_WORKS || name.length > MAX_NAMES) return work
  const made = makeWork(object, key, fields)
  known.set(name, made)
  return made
}
