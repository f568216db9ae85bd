import type { Context } from '../../context.ts'
import { planRecord } from '../../records/prepare/planned-record.ts'
import { changeRecords } from '../../records/write/update.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { recomputeSql } from './recompute.sql.ts'

/** What was done with one part of an object's records. */
export interface Recomputed {
  /** How many records were looked at. */
  readonly records: number
  /** Those that could not be written, and why. */
  readonly refused: readonly { readonly id: string; readonly message: string }[]
  /** Where the next part starts; absent: this was the last one. */
  readonly next?: string
}

/** How many records one part has. */
const PART = 200

/**
 * Computes records anew, as an update that says nothing would: triggers and rules run, and what changes is written.
 * @param after id behind which the part starts; empty: from the first record
 */
export async function recomputePart(ctx: Context, object: ObjectType, after: string): Promise<Recomputed> {
  const rows = await ctx.db.query<{ id: string }>(recomputeSql.ids(ctx.org, object, after, PART))
  const planned = rows.map(({ id }) => planRecord(id, new Map()))
  const refusals = planned.length === 0 ? new Map() : await changeRecords(ctx, object, planned, false)
  return {
    records: rows.length,
    refused: [...refusals].map(([{ id }, { message }]) => ({ id, message })),
    ...(rows.length === PART && { next: rows.at(-1)!.id }),
  }
}
