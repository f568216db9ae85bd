import { canonicalRecordId } from '../../base/record-id.ts'
import type { Context } from '../../context.ts'
import { holdRecords } from '../../records/read/row-access.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Step } from './subrequest.ts'

/** A record that is named by its id, and not by what an earlier step gives. */
const NAMED_RECORD = /^\/services\/data\/[^/]+\/sobjects\/([^/@]+)\/([A-Za-z0-9]{15,18})\/?$/i

/** Ids of the records that steps change or delete, by their objects. */
function findNamedRecords({ visible }: Context, steps: readonly Step[]): Map<ObjectType, Set<string>> {
  const named = new Map<ObjectType, Set<string>>()
  for (const { method, url } of steps) {
    if (method !== 'PATCH' && method !== 'DELETE') continue
    const [, objectName, text] = NAMED_RECORD.exec(url.path) ?? []
    const id = canonicalRecordId(text ?? '')
    const object = visible.object(objectName ?? '')
    if (id === undefined || object === undefined || !id.startsWith(object.keyPrefix)) continue
    const ids = named.get(object) ?? new Set()
    named.set(object, ids.add(id))
  }
  return named
}

/**
 * Locks the records that the steps of one transaction change, in one order for all callers: two transactions that change
 * the same records in opposite order wait for each other in turn instead of in a ring, which the database would have to
 * break. Records that an earlier step names, and those that deletions take along, are locked when their step comes.
 */
export async function holdNamedRecords(ctx: Context, steps: readonly Step[]): Promise<void> {
  const named = findNamedRecords(ctx, steps)
  const count = [...named.values()].reduce((sum, ids) => sum + ids.size, 0)
  if (count < 2) return
  const inOrder = [...named].sort(([a], [b]) => (a.name < b.name ? -1 : 1))
  for (const [object, ids] of inOrder) await holdRecords(ctx, object, [...ids])
}
