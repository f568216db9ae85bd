import type { Context } from '../../context.ts'
import { derivedValuesSql } from '../../orgs/upgrades/derived-values.sql.ts'
import { orderDeriving } from '../../orgs/upgrades/order-deriving.ts'
import { planRecord } from '../../records/prepare/planned-record.ts'
import { makeAuditFields } from '../../records/steps/audit-fields.ts'
import { deriveAgain } from '../../records/steps/derive-values.ts'
import { addUpAgain, compareParents, listReceived } from '../../records/steps/parent-effects.ts'
import { writePlanned } from '../../records/write/write-planned.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { findBehaviour } from '../../standard/behaviours.ts'

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

/** Compares one page of an object's records with the values that the platform derives. Nothing is written. */
export interface Checked {
  /** Number of compared records. */
  readonly records: number
  /** Records with other values, and the API names of these fields. */
  readonly differing: readonly { readonly id: string; readonly fields: readonly string[] }[]
  /** Records that a write with the same values would be refused for, with the error. */
  readonly refused: readonly { readonly id: string; readonly message: string }[]
  /** Start of the next page; absent on the last page. */
  readonly next?: string
}

/** The objects whose records have something that the platform derives, in the order in which they are recomputed. */
export const listDeriving = (schema: SchemaSnapshot): readonly ObjectType[] =>
  orderDeriving(
    schema,
    schema.storedObjects.filter(
      (object) => findBehaviour(object)?.derivation !== undefined || listReceived(schema, object).length > 0,
    ),
  )

async function loadPage(ctx: Context, object: ObjectType, after: string) {
  const rows = await ctx.db.query<{ id: string }>(derivedValuesSql.ids(ctx.org, object, after, PAGE_SIZE))
  const ids = rows.map(({ id }) => id)
  return { ids, end: ids.length === PAGE_SIZE && { next: ids.at(-1)! } }
}

/** Sets what the platform derives where it differs. What clients may write stays as it is, unless it is empty. */
async function derivePage(ctx: Context, object: ObjectType, ids: readonly string[]): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db }
    // First what derivations follow from.
    await addUpAgain(inside, object, ids, makeAuditFields(ctx))
    for (const { id, values } of await deriveAgain(inside, object, ids, ctx.principal.fiscalYear))
      if (values.size > 0) await db.query(derivedValuesSql.set(ctx.org, object, id, values))
  })
}

/**
 * Recomputes records like an update without changes: triggers and rules run, and changed fields are written.
 * @param after the page starts after this id; empty for the first page
 */
export async function recomputePage(ctx: Context, object: ObjectType, after: string): Promise<Recomputed> {
  const { ids, end } = await loadPage(ctx, object, after)
  const planned = ids.map((id) => planRecord(id, new Map()))
  const refusals =
    planned.length === 0
      ? new Map()
      : await writePlanned({ ctx, kind: 'update', object, records: planned }, false)
  if (ids.length > 0) await derivePage(ctx, object, ids)
  return {
    records: ids.length,
    refused: [...refusals].map(([{ id }, { message }]) => ({ id, message })),
    ...end,
  }
}

/**
 * Compares records with what the platform derives of them.
 * @param after the page starts after this id; empty for the first page
 */
export async function checkPage(ctx: Context, object: ObjectType, after: string): Promise<Checked> {
  const { ids, end } = await loadPage(ctx, object, after)
  const { fiscalYear } = ctx.principal
  // One transaction, so that both comparisons see the records while nobody changes them.
  return ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db }
    const derived = ids.length === 0 ? [] : await deriveAgain(inside, object, ids, fiscalYear)
    const fields = new Map<string, string[]>()
    const once = new Set(findBehaviour(object)?.derivation?.once)
    for (const { id, values } of derived)
      fields.set(
        id,
        [...values.keys()].flatMap(({ name }) => (once.has(name) ? [] : [name])),
      )
    for (const { id, fields: names } of ids.length === 0 ? [] : await compareParents(inside, object, ids))
      fields.set(id, [...new Set([...(fields.get(id) ?? []), ...names])])
    return {
      records: ids.length,
      differing: [...fields].flatMap(([id, names]) => (names.length === 0 ? [] : [{ id, fields: names }])),
      refused: derived.flatMap(({ id, error }) =>
        error === undefined ? [] : [{ id, message: error.message }],
      ),
      ...end,
    }
  })
}
