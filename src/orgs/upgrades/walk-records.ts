import type { ObjectType } from '../../schema/objects/object-type.ts'
import { loadUsedObjects } from '../../schema/snapshot/used-objects.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { derivedValuesSql } from './derived-values.sql.ts'
import type { Reached } from './upgrade-step.ts'

/** Separates the object and the record id in a position. */
const SEPARATOR = '/'

/** Records of a batch. */
const MAX_RECORDS = 200

/**
 * Runs the next batch of work on the records of some objects, one object after the other.
 * @param position from the result of the batch before; null for the first
 */
export async function walkRecords(
  tx: Db,
  org: Org,
  objects: readonly ObjectType[],
  position: string | null,
  work: (object: ObjectType, ids: readonly string[]) => Promise<void>,
): Promise<Reached> {
  const [name, after = ''] = position?.split(SEPARATOR) ?? []
  const used = await loadUsedObjects(tx, org, objects)
  const index = name === undefined ? 0 : used.findIndex((object) => object.name === name)
  const object = used[index]
  if (object === undefined) return { isDone: true, progress: 1 }
  const rows = await tx.query<{ id: string }>(derivedValuesSql.ids(org, object, after, MAX_RECORDS))
  const ids = rows.map(({ id }) => id)
  await work(object, ids)
  const isLast = ids.length < MAX_RECORDS
  const next = isLast ? used[index + 1] : object
  if (next === undefined) return { isDone: true, progress: 1 }
  return {
    isDone: false,
    position: `${next.name}${SEPARATOR}${isLast ? '' : ids.at(-1)}`,
    progress: (index + (isLast ? 1 : 0)) / used.length,
  }
}
