import { rowRule } from '../../access/row-rules.sql.ts'
import type { RowLevel } from '../../access/sharing.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { missingRecord, type PlannedRecord, type Refusals } from '../prepare/planned-record.ts'
import { rowAccessSql } from './read.sql.ts'

/** The access level that a write needs. */
type WriteLevel = Exclude<RowLevel, 'read'>

/** The condition on an object's rows in a statement that names its table without an alias. */
export const rowsFor = (ctx: Context, object: ObjectType, level: RowLevel) =>
  rowRule(ctx, object, object.table, level)

/** True if the caller may write all visible records at this level. */
export const mayWriteAll = (ctx: Context, object: ObjectType, level: WriteLevel): boolean =>
  rowsFor(ctx, object, level) === undefined && rowsFor(ctx, object, 'read') === undefined

/** Locks the records that the caller may edit until the transaction ends. */
export async function holdRecords(ctx: Context, object: ObjectType, ids: readonly string[]): Promise<void> {
  await ctx.db.query(rowAccessSql.hold(ctx.org, object, ids, rowsFor(ctx, object, 'edit')))
}

/** True if there are rules about who may change which of the records. */
export const hasWriteRules = (ctx: Context, object: ObjectType, records: readonly PlannedRecord[]): boolean =>
  records.some((record) => !mayWriteAll(ctx, object, changeLevel(object)(record, null)))

interface RowAccess {
  readonly id: string
  readonly isDeleted: boolean
  readonly owner: string | null
  readonly read: boolean
  readonly edit: boolean
  readonly full: boolean
}

/**
 * Finds the records that the caller may not write: an invisible one is reported as missing, a visible one as an access
 * error. The others stay locked until the transaction ends.
 * @param levelOf the level that the write needs, by the record and its owner
 */
export async function findUnwritable<Item extends { readonly id: string }>(
  ctx: Context,
  object: ObjectType,
  records: readonly Item[],
  levelOf: (record: Item, owner: string | null) => WriteLevel,
): Promise<Refusals<Item>> {
  const refusals: Refusals<Item> = new Map()
  const needed = new Set(records.map((record) => levelOf(record, null)))
  if ([...needed].every((level) => mayWriteAll(ctx, object, level))) return refusals
  const rules = {
    read: rowsFor(ctx, object, 'read'),
    edit: rowsFor(ctx, object, 'edit'),
    full: rowsFor(ctx, object, 'full'),
  }
  const ids = records.map(({ id }) => id)
  const rows = await ctx.db.query<RowAccess>(rowAccessSql.lock(ctx.org, object, ids, rules))
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const record of records) {
    const row = byId.get(record.id)
    if (row === undefined || !row.read) refusals.set(record, missingRecord())
    else if (!row.isDeleted && !row[levelOf(record, row.owner)]) {
      const message = 'insufficient access rights on object id'
      refusals.set(record, new ApiError('INSUFFICIENT_ACCESS_OR_READONLY', message))
    }
  }
  return refusals
}

/** Changing the owner needs a higher level than any other change. */
export const changeLevel =
  (object: ObjectType) =>
  ({ prepared }: PlannedRecord, owner: string | null): WriteLevel => {
    const field = object.field('OwnerId')
    const given = field === undefined ? undefined : prepared.get(field)
    return given === undefined || given === owner ? 'edit' : 'full'
  }
