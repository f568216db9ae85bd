import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import { EVENT_UUID } from '../../schema/objects/event-fields.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import { makeAuditFields } from '../steps/audit-fields.ts'
import type { EventContent } from './event-content.ts'
import { logEvents } from './log-events.sql.ts'

/** Gives a platform event what it is told from others by. */
export const withUuid = (object: ObjectType, record: PlannedRecord): PlannedRecord => ({
  ...record,
  values: new Map([...record.values, [object.field(EVENT_UUID)!, randomUUID()]]),
})

/** The UUID of a platform event. */
export const uuidOf = (object: ObjectType, { values }: PlannedRecord): string =>
  values.get(object.field(EVENT_UUID)!) as string

/** What the log keeps of a platform event: its own fields, empty ones as null. */
function makeContent(object: ObjectType, record: PlannedRecord): EventContent {
  const own = object.definition.fields.map(({ name }) => {
    const field = object.field(name)!
    return [name, record.values.get(field) ?? field.type.emptyValue ?? null] as const
  })
  return { values: Object.fromEntries(own), uuid: uuidOf(object, record) }
}

/**
 * Publishes platform events of one object, whose permission and values were checked. Those that are published immediately stay in the
 * log when the transaction of the caller is rolled back.
 * @returns no refusals
 */
export async function publishEvents(
  ctx: Context,
  object: ObjectType,
  events: readonly PlannedRecord[],
): Promise<Refusals<PlannedRecord>> {
  if (events.length === 0) return new Map()
  const contents = events.map((event) => JSON.stringify(makeContent(object, event)))
  const about = { object: object.name, kind: 'PUBLISH', origin: '' } as const
  const statement = logEvents(ctx.org, about, contents, makeAuditFields(ctx))
  await ctx.db.attempt((db) => db.query(statement))
  if (object.definition.publish === 'immediately') ctx.db.afterRollback(statement)
  return new Map()
}
