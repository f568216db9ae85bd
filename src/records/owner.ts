import { findUser } from '../auth/users.ts'
import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { Db } from '../storage/db.ts'
import type { RecordValues } from './record-input.ts'

/** A record may be given to a queue or to a user who works here, not to one who left. (contract/records 3.3) */
export async function checkOwner(
  ctx: Context,
  tx: Db,
  object: ObjectType,
  values: RecordValues,
): Promise<void> {
  const field = object.field('OwnerId')
  const id = field && values.get(field)
  if (typeof id !== 'string' || id === ctx.principal.userId) return
  const user = await findUser(tx, ctx.org, id)
  if (user?.isActive !== false) return
  throw new ApiError(
    'INACTIVE_OWNER_OR_USER',
    `operation performed with inactive user [${id}] as owner of ${object.name.toLowerCase()}`,
    { fields: [field!.name] },
  )
}
