import type { Context } from '../../context.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import { groupByObject } from './group-by-object.ts'
import { parentEffectsSql } from './parent-effects.sql.ts'

/**
 * Locks the records that an earlier try of a write locked or waited for, in the order that all writes have. The order in which
 * triggers write records is their own: writes that wait for each other once would do so in every try. (docs/adr/0035-locks-of-retries.md)
 */
export async function lockFirst(ctx: Context, ids: readonly string[]): Promise<void> {
  for (const [object, listed] of groupByObject(ctx, ids)) {
    if (object.definition.view !== undefined) continue
    await namingLocked(ctx, listed, () => ctx.db.query(parentEffectsSql.lock(ctx.org, object, listed, false)))
  }
}
