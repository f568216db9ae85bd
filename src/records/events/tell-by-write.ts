import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import { isToldAsWritten, mayShow } from '../../schema/fields/told-field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'
import type { PlannedWrite, WriteKind } from '../prepare/planned-write.ts'
import { MAX_EVENT_LENGTH } from './event-content.ts'
import { findTopics } from './keep-topics.ts'
import { logEvents, type NewEvent, type ToldChange } from './log-events.sql.ts'
import { enrichedFields, isSelected, listWritten, toldFields, toldValue } from './told-values.ts'

/*
 * Changes whose events follow from what is written: the statement that writes the records logs them. (docs/adr/0044-events.md)
 */

/** Kinds of writes whose statements can tell of the object's records. */
const toldOf = oncePer((object: ObjectType): ReadonlySet<WriteKind> => {
  const fields = toldFields(object)
  const kinds = new Set<WriteKind>()
  if (!fields.every(isToldAsWritten)) return kinds
  if (!fields.some(({ type }) => type.counted)) kinds.add('insert')
  // Encrypted again, a value is another one for the database.
  if (fields.every(mayShow) && enrichedFields(object).length === 0) kinds.add('update')
  return kinds
})

/** True if the statement that writes the records tells of them, so that nobody else has to. */
export const isToldByWrite = (ctx: Context, object: ObjectType, kind: WriteKind): boolean =>
  isSelected(object) && toldOf(object).has(kind) && findTopics(ctx, object, kind).length === 0

/** The insert into the log that tells of new records; undefined if nobody wants to know of them. */
export async function logCreations(
  { ctx, object, isOfSeveralCalls = false }: Pick<PlannedWrite, 'ctx' | 'object' | 'isOfSeveralCalls'>,
  records: readonly PlannedRecord[],
  audit: AuditFields,
): Promise<Sql | undefined> {
  if (!isToldByWrite(ctx, object, 'insert')) return undefined
  const events: NewEvent[] = []
  const alike = new Map<string, string[]>()
  const pauseIfDue = makePauses()
  for (const { id, values } of records) {
    const pause = pauseIfDue()
    if (pause !== undefined) await pause
    const content = JSON.stringify({ values: listWritten(object, values) })
    const isGap = content.length > MAX_EVENT_LENGTH
    const ids = isOfSeveralCalls ? [] : getOrInsert(alike, isGap ? '{}' : content, () => [])
    if (ids.push(id) > 1) continue
    events.push({ ids, content: isGap ? '{}' : content, changes: 1, kind: isGap ? 'GAP_CREATE' : 'CREATE' })
  }
  const about = { object: object.name, kind: 'CREATE', origin: ctx.source, isOfSeveralCalls } as const
  return logEvents(ctx.org, about, events, audit)
}

const writeMember = (name: string, value: unknown): string =>
  `${JSON.stringify(name)}:${JSON.stringify(value)}`

/**
 * What is to be told of changes to the same fields, as far as they differ from what was there; undefined if nothing of it is.
 * @param fields the changed ones
 */
export function planToldChange(
  { ctx, object, isOfSeveralCalls = false }: Pick<PlannedWrite, 'ctx' | 'object' | 'isOfSeveralCalls'>,
  fields: readonly Field[],
  records: readonly PlannedRecord[],
  { userId }: AuditFields,
): ToldChange | undefined {
  if (!isToldByWrite(ctx, object, 'update')) return undefined
  const told = toldFields(object).filter((field) => fields.includes(field))
  if (told.length === 0) return undefined
  return {
    object: object.name,
    origin: ctx.source,
    isOfSeveralCalls,
    fields: told,
    members: told.map((field) =>
      records.map(({ values }) => writeMember(field.name, toldValue(field, values))),
    ),
    by: writeMember('LastModifiedById', userId),
  }
}
