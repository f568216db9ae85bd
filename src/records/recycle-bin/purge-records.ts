import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { metadataSql } from '../../schema/snapshot/metadata.sql.ts'
import { purgeSql } from './purge.sql.ts'
import { SchemaChanged } from './purge-org.ts'

/**
 * Permanently deletes records that the transaction of `ctx` has just deleted. Those that other records refer to, such as
 * details that were deleted with them, stay in the recycle bin until it is purged.
 */
export async function purgeRecords(
  { db, org, schema }: Context,
  object: ObjectType,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const [held] = await db.query<{ version: number }>(metadataSql.hold(org))
  if (held?.version !== schema.version) throw new SchemaChanged()
  await db.query(purgeSql.purge(org, schema.object(object.name)!, schema, Number.POSITIVE_INFINITY, ids))
}
