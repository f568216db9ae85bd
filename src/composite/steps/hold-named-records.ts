import { canonicalRecordId } from '../../base/record-id.ts'
import type { Context } from '../../context.ts'
import { holdRecords } from '../../records/read/row-access.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Step } from './subrequest.ts'

/** Ids of the records that steps change or delete, by their objects; not of those that an earlier step gives. */
function findNamedRecords({ visible }: Context, steps: readonly Step[]): Map<ObjectType, Set<string>> {
  const named = new Map<ObjectType, Set<string>>()
  for (const step of steps) {
    if (step.method !== 'PATCH' && step.method !== 'DELETE') continue
    const { object: name = '', id: text = '' } = step.match?.params ?? {}
    const id = canonicalRecordId(text)
    const object = visible.object(name)
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
