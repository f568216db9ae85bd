import { findInactive } from '../../auth/users/users.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { PlannedRecord, Refusals } from './planned-record.ts'

/** Refuses an inactive user as owner. A queue, or an active user, may own records. (docs/reference/api/records.md#error-codes) */
export async function checkOwners(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<Refusals<PlannedRecord>> {
  const refusals: Refusals<PlannedRecord> = new Map()
  const field = object.field('OwnerId')
  if (field === undefined) return refusals
  const ownerOf = ({ values }: PlannedRecord) => values.get(field) as string | null | undefined
  const owners = new Set(records.map(ownerOf).filter((id) => typeof id === 'string'))
  owners.delete(ctx.principal.userId)
  if (owners.size === 0) return refusals
  const inactive = await findInactive(ctx.db, ctx.org, [...owners])
  for (const record of records) {
    const id = ownerOf(record)
    if (typeof id !== 'string' || !inactive.has(id)) continue
    const message = `operation performed with inactive user [${id}] as owner of ${object.name.toLowerCase()}`
    refusals.set(record, new ApiError('INACTIVE_OWNER_OR_USER', message, { fields: [field.name] }))
  }
  return refusals
}
