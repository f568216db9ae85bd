import { randomUUID } from 'node:crypto'
import { ApiError } from '../../base/api-error.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Context } from '../../context.ts'
import { EVENT_UUID } from '../../schema/objects/event-fields.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { type EventContent, MAX_EVENT_LENGTH } from '../events/event-content.ts'
import { logEvents } from '../events/log-events.sql.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import { makeAuditFields } from '../steps/audit-fields.ts'

/** Gives a platform event what it is told from others by. */
export const withUuid = (object: ObjectType, record: PlannedRecord): PlannedRecord => ({
  ...record,
  values: new Map([...record.values, [object.field(EVENT_UUID)!, randomUUID()]]),
})

/** The UUID of a platform event. */
export const uuidOf = (object: ObjectType, { values }: PlannedRecord): string =>
  values.get(object.field(EVENT_UUID)!) as string

/** What the log keeps of a platform event: its own fields as answers show them, empty ones as null. */
function makeContent(object: ObjectType, record: PlannedRecord): EventContent {
  const own = object.definition.fields.map(({ name }) => {
    const field = object.field(name)!
    const value = record.values.get(field) ?? field.type.emptyValue ?? null
    return [name, value === null ? null : (field.type.read?.(value, '', field) ?? value)] as const
  })
  return { values: Object.fromEntries(own), uuid: uuidOf(object, record) }
}

const tooLong = () =>
  new ApiError('LIMIT_EXCEEDED', `The event is longer than ${MAX_EVENT_LENGTH} characters, as JSON`)

/**
 * Publishes platform events of one object, whose permission and values were checked. Those that are published immediately stay in the
 * log when the transaction of the caller is rolled back.
 * @returns the refused ones; with `allOrNone`, nothing was published if there are any
 */
export async function publishEvents(
  ctx: Context,
  object: ObjectType,
  events: readonly PlannedRecord[],
  allOrNone: boolean,
): Promise<Refusals<PlannedRecord>> {
  const refusals: Refusals<PlannedRecord> = new Map()
  const contents: { content: string }[] = []
  const pauseIfDue = makePauses()
  for (const event of events) {
    const pause = pauseIfDue()
    if (pause !== undefined) await pause
    const content = JSON.stringify(makeContent(object, event))
    if (content.length > MAX_EVENT_LENGTH) refusals.set(event, tooLong())
    else contents.push({ content })
  }
  if (contents.length === 0 || (allOrNone && refusals.size > 0)) return refusals
  const about = { object: object.name, kind: 'PUBLISH', origin: ctx.source } as const
  const statement = logEvents(ctx.org, about, contents, makeAuditFields(ctx))
  await ctx.db.attempt((db) => db.query(statement))
  if (object.definition.publish === 'immediately') ctx.db.afterRollback(statement)
  return refusals
}
