import type { Context } from '../../context.ts'
import { planRecord } from '../../records/prepare/planned-record.ts'
import { changeRecords } from '../../records/write/update.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { recomputeSql } from './recompute.sql.ts'

/** The result of recomputing one page of an object's records. */
export interface Recomputed {
  /** Number of processed records. */
  readonly records: number
  /** Records that could not be written, with the error. */
  readonly refused: readonly { readonly id: string; readonly message: string }[]
  /** Start of the next page; absent on the last page. */
  readonly next?: string
}

/** Number of records in a page. */
const PAGE_SIZE = 200

/**
 * Recomputes records like an update without changes: triggers and rules run, and changed fields are written.
 * @param after the page starts after this id; empty for the first page
 */
export async function recomputePage(ctx: Context, object: ObjectType, after: string): Promise<Recomputed> {
  const rows = await ctx.db.query<{ id: string }>(recomputeSql.ids(ctx.org, object, after, PAGE_SIZE))
  const planned = rows.map(({ id }) => planRecord(id, new Map()))
  const refusals = planned.length === 0 ? new Map() : await changeRecords(ctx, object, planned, false)
  return {
    records: rows.length,
    refused: [...refusals].map(([{ id }, { message }]) => ({ id, message })),
    ...(rows.length === PAGE_SIZE && { next: rows.at(-1)!.id }),
  }
}
