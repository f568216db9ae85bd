import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import { type Follower, listFollowers } from '../../standard/behaviours.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'
import { makeAuditFields } from './audit-fields.ts'
import { followChangesSql } from './follow-changes.sql.ts'

/*
 * Records that have what others have, which they refer to, follow when the others change. No hook or trigger of theirs runs, so
 * that nothing leads back to what was written. (docs/adr/0033-copies-that-follow.md)
 */

const isWritten = (object: ObjectType, values: RecordValues, { from }: Follower): boolean =>
  from.some((name) => values.has(object.field(name)!))

/** True if other records may follow a change of these fields. */
export const mayBeFollowed = (object: ObjectType, values: RecordValues): boolean =>
  listFollowers(object).some((follower) => isWritten(object, values, follower))

/** True if a record has got another value in one of the fields, as far as it is known what it was. */
const isChanged = (object: ObjectType, { values, old }: PlannedRecord, { from }: Follower): boolean =>
  from.some((name) => {
    const field = object.field(name)!
    return values.has(field) && !(old?.has(field) && old.get(field) === (values.get(field) ?? null))
  })

async function follow(ctx: Context, follower: Follower, ids: readonly string[]): Promise<void> {
  const object = requireObject(ctx.schema, follower.object)
  const copies = Object.entries(follower.sets).map(([name, copied]) => ({
    field: object.field(name)!,
    of: copied.map(({ reference, parent, field }) => {
      const other = requireObject(ctx.schema, parent)
      return { reference: object.field(reference)!, parent: other, field: other.field(field)! }
    }),
  }))
  const reference = object.field(follower.reference)!
  // Another one of the records that they copy may be changed meanwhile: who comes later sees both.
  if (copies.some(({ of }) => of.length > 1))
    await ctx.db.query(followChangesSql.lock(ctx.org, object, reference, ids))
  const statement = followChangesSql.follow(ctx.org, object, reference, copies, ids, makeAuditFields(ctx))
  const rows = await ctx.db.query<{ id: string }>(statement)
  if (rows.length === 0) return
  const changed = rows.map(({ id }) => id)
  for (const next of listFollowers(object))
    if (next.from.some((name) => Object.hasOwn(follower.sets, name))) await follow(ctx, next, changed)
}

/** Lets others follow records that were changed: one statement for a list and each object that follows, two where a field copies several records. */
export async function followChanges(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  for (const follower of listFollowers(object)) {
    const ids = records.filter((record) => isChanged(object, record, follower)).map(({ id }) => id)
    if (ids.length > 0) await follow(ctx, follower, ids)
  }
}
