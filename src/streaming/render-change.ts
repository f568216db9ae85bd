import { createHash } from 'node:crypto'
import { oncePer } from '../base/get-or-insert.ts'
import type { EventContent } from '../records/events/event-content.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { Followed } from './channel.ts'
import { placeOf } from './compound-parts.ts'
import type { EventRow } from './event-log.sql.ts'
import type { EventMessage } from './event-message.ts'
import { schemaOf } from './event-schema.ts'
import { mayTell } from './may-tell.ts'

/** The same for all events of a transaction, in the form of a UUID. */
function makeTransactionKey({
  orgId,
  transaction,
  first,
}: {
  orgId: string
  transaction: string
  first: number
}) {
  const hex = createHash('sha256').update(`${orgId} ${transaction} ${first}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

/** `2026-11-20T21:30:00Z`, as events write times. */
const asTime = (field: Field, value: unknown): unknown =>
  field.type.literal === 'dateTime' && typeof value === 'string'
    ? value.replace(/\.000(?:\+0000|Z)$/, 'Z').replace(/\+0000$/, 'Z')
    : value

function makeValues(
  object: ObjectType,
  values: NonNullable<EventContent['values']>,
): Record<string, unknown> {
  const payload: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = object.field(name)
    if (field === undefined || !mayTell(field, value)) continue
    const [outer, inner] = placeOf(field)
    if (inner === undefined) payload[outer] = asTime(field, value)
    else payload[outer] = { ...(payload[outer] as object | undefined), [inner]: asTime(field, value) }
  }
  return payload
}

/** Sets the times and authors that an event does not tell, because they are its own. */
function withAudit(
  object: ObjectType,
  { kind, at, userId }: Pick<EventRow, 'kind' | 'at' | 'userId'>,
  values: EventContent['values'],
): EventContent['values'] {
  if (kind !== 'CREATE' && kind !== 'UPDATE') return values
  const time = new Date(at).toISOString()
  const changed = { LastModifiedDate: time }
  const own =
    kind === 'UPDATE'
      ? changed
      : { CreatedDate: time, CreatedById: userId, ...changed, LastModifiedById: userId }
  const all = { ...own, ...values }
  return Object.fromEntries(
    Object.entries(all).toSorted(([a], [b]) => placeIn(object)(a) - placeIn(object)(b)),
  )
}

/** The place of a field among those of its object. */
const placeIn = oncePer(({ fields }: ObjectType) => {
  const places = new Map(fields.map(({ name }, index) => [name, index]))
  return (name: string): number => places.get(name) ?? -1
})

const listNames = (object: ObjectType, names: readonly string[]) =>
  names.flatMap((name) => {
    const field = object.field(name)
    return field === undefined ? [] : [placeOf(field).join('.')]
  })

/** The fields that an update changed, in the object's order. */
function listChanged(
  object: ObjectType,
  { changed = [] }: EventContent,
  values: EventContent['values'],
): readonly string[] {
  const names = new Set([...changed, ...Object.keys(values ?? {})])
  return [...names].toSorted((a, b) => placeIn(object)(a) - placeIn(object)(b))
}

/** Only who changed it last and when is left, and what else changed is not for this subscriber. */
const MARKS: ReadonlySet<string> = new Set(['LastModifiedDate', 'LastModifiedById'])

/** The records of an event that names none. */
const NO_RECORD = ['000000000000000AAA']

/** A change as a subscriber may see it; undefined: there is nothing in it that the subscriber may see. */
export function renderChange(
  orgId: string,
  { object, enriched }: Followed,
  row: EventRow,
): EventMessage | undefined {
  const content = JSON.parse(row.content) as EventContent
  const values = withAudit(object, row, content.values)
  const changed = row.kind !== 'UPDATE' ? [] : listChanged(object, content, values)
  const added = enriched.filter((name) => Object.hasOwn(content.enriched ?? {}, name))
  const all = { ...Object.fromEntries(added.map((name) => [name, content.enriched![name]])), ...values }
  const seen = changed.filter((name) => object.field(name) !== undefined)
  if (row.kind === 'UPDATE' && seen.every((name) => MARKS.has(name))) return undefined
  const first = row.firstPosition ?? row.position - row.place + 1
  const nulled = seen.filter((name) => values?.[name] === null)
  const header = {
    entityName: object.name,
    recordIds: row.kind === 'GAP_OVERFLOW' ? NO_RECORD : row.ids,
    changeType: row.kind,
    changeOrigin: row.origin,
    transactionKey: makeTransactionKey({ orgId, transaction: row.transaction, first }),
    sequenceNumber: row.place,
    commitTimestamp: row.at,
    commitNumber: first,
    commitUser: row.userId,
    nulledFields: listNames(object, nulled),
    diffFields: [],
    changedFields: listNames(object, seen),
  }
  return {
    object: object.name,
    position: row.position,
    isCopy: row.firstPosition !== null,
    data: {
      schema: schemaOf(object),
      payload: { ChangeEventHeader: header, ...makeValues(object, all) },
      event: { replayId: row.position },
    },
  }
}
