import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { isRefused, type Outcome, writeOrRefuse } from '../prepare/outcome.ts'
import type { RecordInput } from '../prepare/record-input.ts'
import { createRecords } from './insert.ts'
import { updateRecords } from './update.ts'

/** A record of an upsert by the key `Id`. */
interface Item {
  /** Undefined if it is created. */
  readonly id: string | undefined
  readonly input: RecordInput
}

const isChange = (item: Item): item is Item & { readonly id: string } => item.id !== undefined

/** Changes records that have an id, and creates the others. (docs/reference/api/composite.md#collections) */
export async function upsertById(
  ctx: Context,
  object: ObjectType,
  items: readonly Item[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  const changes = items.filter(isChange)
  const inputs = items.filter((item) => !isChange(item)).map(({ input }) => input)
  const created = inputs.length === 0 ? [] : await createRecords(ctx, object, inputs, allOrNone)
  const hasWritten = !allOrNone && !ctx.db.isTransaction && created.some((outcome) => !isRefused(outcome))
  const updated =
    changes.length === 0
      ? []
      : await writeOrRefuse(changes, hasWritten, () => updateRecords(ctx, object, changes, allOrNone))
  return items.map((item) => ({
    ...(isChange(item) ? updated.shift()! : created.shift()!),
    created: !isChange(item),
  }))
}
