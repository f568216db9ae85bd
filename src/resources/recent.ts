import { getOrInsert } from '../base/get-or-insert.ts'
import { type Call, optionHeader } from '../calls/call.ts'
import { route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { readListed } from '../records/read/read.ts'
import { keepsRecent } from '../schema/describe/describe-object.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { RecordBody } from '../schema/snapshot/record-format.sql.ts'
import { countIn } from './requested-count.ts'

/** Maximum number of recently viewed records in a reply. */
const MAX_LISTED = 200

/** `Svc-Mru: updateMru=false`: the call does not count as a view. (docs/reference/api/records.md#request-headers) */
const isSilent = (call: Call) => /\bupdateMru\s*=\s*false\b/i.test(optionHeader(call, 'mru') ?? '')

/** The caller looked at a record, or wrote it. */
export function noteView(ctx: Context, call: Call, object: ObjectType, id: string): void {
  if (keepsRecent(object) && !isSilent(call)) ctx.recent.note('viewed', [id])
}

/** The records of those ids that the caller sees, with their names, in the order of the ids. */
async function named(ctx: Context, ids: readonly string[]): Promise<RecordBody[]> {
  const byObject = new Map<ObjectType, string[]>()
  for (const id of ids) {
    const object = ctx.visible.objects.find(({ keyPrefix }) => id.startsWith(keyPrefix))
    if (object !== undefined) getOrInsert(byObject, object, () => []).push(id)
  }
  const found = new Map<string, RecordBody>()
  for (const [object, own] of byObject) {
    const fields = ['Id', ...(object.nameField === undefined ? [] : [object.nameField.name])]
    for (const [id, record] of await readListed(ctx, object, own, fields)) found.set(id, record)
  }
  return ids.map((id) => found.get(id)).filter((record) => record !== undefined)
}

/** The caller's recently viewed records of an object, newest first. (docs/reference/api/metadata.md#recently-viewed-records) */
export const loadRecent = async (ctx: Context, { keyPrefix }: ObjectType): Promise<RecordBody[]> =>
  named(ctx, await ctx.recent.list(ctx.db, MAX_LISTED, keyPrefix))

/** The caller's recently viewed records of all objects. */
export const recentRoutes = [
  route('GET', '/recent', 'platform', async (ctx, call) => {
    const limit = countIn(call, 'limit', MAX_LISTED, 1, MAX_LISTED)
    // Some may be deleted or no longer visible to the caller.
    const records = await named(ctx, await ctx.recent.list(ctx.db, MAX_LISTED))
    return { status: 200, body: records.slice(0, limit) }
  }),
]
