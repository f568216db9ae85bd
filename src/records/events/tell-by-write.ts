import { oncePer } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import { mayShow } from '../../schema/fields/told-field.ts'
import { isToldInSql } from '../../schema/fields/told-value.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import type { PlannedWrite, WriteKind } from '../prepare/planned-write.ts'
import { findTopics } from './keep-topics.ts'
import type { ToldWrite } from './log-events.sql.ts'
import { enrichedFields, isSelected, toldFields } from './told-values.ts'

/*
 * Changes that the statement which writes the records tells of. (docs/adr/0044-events.md)
 */

/** Kinds of writes whose statements can tell of the object's records. */
const toldOf = oncePer((object: ObjectType): ReadonlySet<WriteKind> => {
  const fields = toldFields(object)
  const kinds = new Set<WriteKind>()
  if (fields.every((field) => isToldInSql(field) || !mayShow(field))) kinds.add('insert')
  // Encrypted again, a value is another one for the database.
  if (fields.every(isToldInSql)) kinds.add('update')
  return kinds
})

/** True if the statement that writes the records tells of them, so that nobody else has to. */
export const isToldByWrite = (ctx: Context, object: ObjectType, kind: WriteKind): boolean =>
  isSelected(object) &&
  !ctx.db.isCluster &&
  toldOf(object).has(kind) &&
  findTopics(ctx, object, kind).length === 0

/** The fields of new records that may have a value. Times and authors that are not given are those of the event. */
function listCreated(object: ObjectType, written: ReadonlySet<Field>): readonly Field[] {
  const isFilled = (field: Field) => written.has(field) || field.type.columnDefault !== undefined
  return toldFields(object).filter((field) => mayShow(field) && isFilled(field))
}

/**
 * Returns how the statement that writes records tells of them, or undefined if it tells nothing.
 * @param written the written fields
 */
export function planToldWrite(
  { ctx, kind, object, isOfSeveralCalls = false }: PlannedWrite,
  written: readonly Field[],
  audit: AuditFields,
): ToldWrite | undefined {
  if (!isToldByWrite(ctx, object, kind)) return undefined
  const all = new Set(written)
  const isNew = kind === 'insert'
  const fields = isNew ? listCreated(object, all) : toldFields(object).filter((field) => all.has(field))
  if (!isNew && fields.length === 0) return undefined
  const enriched = isNew ? [] : enrichedFields(object).map((name) => object.field(name)!)
  return {
    org: ctx.org,
    object: object.name,
    isNew,
    origin: ctx.source,
    isOfSeveralCalls,
    fields,
    enriched,
    audit,
  }
}
