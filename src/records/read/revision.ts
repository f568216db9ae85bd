import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { selectRevision } from './read.sql.ts'
import { rowsFor } from './row-access.ts'

/** The version of a record, for conditional requests. */
export interface Revision {
  /** LastModifiedDate in seconds since 1970. */
  readonly modifiedAt: number
  /** Changes with every change of the record. */
  readonly tag: string
}

/** The revision of a live record visible to the caller. `lock` locks the record until the transaction ends. */
export async function findRevision(
  ctx: Context,
  object: ObjectType,
  id: string,
  lock = false,
): Promise<Revision | undefined> {
  const [revision] = await ctx.db.query<Revision>(
    selectRevision(ctx.org, object, id, lock, rowsFor(ctx, object, 'read')),
  )
  return revision
}
