import { isDeepStrictEqual } from 'node:util'
import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import { isTold, mayShow } from '../../schema/fields/told-field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { type RecordBody, RecordFormat } from '../../schema/snapshot/record-format.sql.ts'
import type { Observer, PlannedWrite, WriteKind } from '../prepare/planned-write.ts'
import type { Wanted } from '../read/read.sql.ts'
import { readRecords } from '../read/read.ts'
import { type EventContent, type EventKind, MAX_EVENT_LENGTH } from './event-content.ts'
import { findTopics, logTopics } from './keep-topics.ts'
import { logEvents, type NewEvent } from './log-events.sql.ts'
import { isToldByWrite } from './tell-by-write.ts'
import { enrichedFields, isSelected, toldFields } from './told-values.ts'

/*
 * What is told of changes to those who follow an object. (docs/reference/api/streaming.md#change-events)
 */

const KINDS: Readonly<Record<WriteKind, EventKind>> = {
  insert: 'CREATE',
  update: 'UPDATE',
  delete: 'DELETE',
  undelete: 'UNDELETE',
}

const formatOf = oncePer((object: ObjectType) => new RecordFormat(object, [...toldFields(object)]))

const read = ({ ctx, object, records }: PlannedWrite, wanted: Wanted) =>
  readRecords(ctx, object, records, wanted, formatOf(object))

type Values = NonNullable<EventContent['values']>

function listValues(object: ObjectType, record: RecordBody): Values {
  const shown = toldFields(object).filter((field) => mayShow(field) && record[field.name] !== null)
  return Object.fromEntries(shown.map(({ name }) => [name, record[name]]))
}

/** The values that some channels have beside the change; nothing where no channel has any. */
function enrich(object: ObjectType, record: RecordBody): Pick<EventContent, 'enriched'> {
  const kept = enrichedFields(object).filter((name) => record[name] !== null)
  return kept.length === 0 ? {} : { enriched: Object.fromEntries(kept.map((name) => [name, record[name]])) }
}

/** The difference of a record to what it was; undefined: there is none. */
function findChange(object: ObjectType, was: RecordBody, is: RecordBody): EventContent | undefined {
  const changed = toldFields(object).filter(
    ({ name }) => name !== 'LastModifiedDate' && !isDeepStrictEqual(was[name], is[name]),
  )
  if (changed.every(({ name }) => name === 'LastModifiedById')) return undefined
  const shown = changed.filter(mayShow)
  return {
    ...(shown.length < changed.length && { changed: changed.map(({ name }) => name) }),
    values: Object.fromEntries(shown.map(({ name }) => [name, is[name]])),
    ...enrich(object, is),
  }
}

/** Names of the fields that an update changed. */
const listChanged = ({ changed, values = {} }: EventContent) => changed ?? Object.keys(values)

/** Logs events: one for the records that were changed alike. */
async function log(
  { ctx, object, kind }: PlannedWrite,
  contents: ReadonlyMap<string, EventContent>,
  audit: AuditFields,
): Promise<void> {
  const alike = new Map<string, { readonly content: EventContent; readonly ids: string[] }>()
  for (const [id, content] of contents)
    getOrInsert(alike, JSON.stringify(content), () => ({ content, ids: [] })).ids.push(id)
  const events: NewEvent[] = []
  for (const { content, ids } of alike.values()) {
    const changes = ids.length * (kind === 'update' ? listChanged(content).length + 1 : 1)
    const text = JSON.stringify(content)
    if (text.length <= MAX_EVENT_LENGTH) events.push({ ids, content: text, changes })
    else events.push({ ids, content: '{}', changes, kind: `GAP_${KINDS[kind]}` as EventKind })
  }
  if (events.length === 0) return
  const told = { object: object.name, kind: KINDS[kind], origin: ctx.source }
  await ctx.db.query(logEvents(ctx.org, told, events, audit))
}

/** Contents of the events of records that were created, deleted or restored, by id. */
async function makeContents(write: PlannedWrite): Promise<Map<string, EventContent>> {
  const { kind, object, records } = write
  if (kind === 'delete') {
    const gone = enrichedFields(object).length === 0 ? undefined : await read(write, 'deleted')
    return new Map(
      records.map(({ id }) => {
        const was = gone?.get(id)
        return [id, was === undefined ? {} : enrich(object, was)]
      }),
    )
  }
  const written = await read(write, 'living')
  return new Map([...written].map(([id, is]) => [id, { values: listValues(object, is) }]))
}

/** Keeps the changes of objects that are selected for change events or have PushTopics, and the events in the order of the changes. */
export const CHANGE_EVENTS: Observer = {
  wants: (ctx, kind, object, fields) =>
    (isSelected(object) || findTopics(ctx, object, kind).length > 0) &&
    !isToldByWrite(ctx, object, kind) &&
    (kind !== 'update' || Iterator.from(fields).some(isTold)),
  async tell(write, audit) {
    const { kind, object, records } = write
    if (kind === 'update') {
      write.before = await read(write, 'living, locked')
      return audit
    }
    if (isSelected(object)) await log(write, await makeContents(write), audit)
    await logTopics(write, new Map(records.map(({ id }) => [id, undefined])), audit)
    return audit
  },
  async written(write, audit) {
    const { object, before } = write
    if (before === undefined) return
    const contents = new Map<string, EventContent>()
    for (const [id, is] of await read(write, 'living')) {
      const was = before.get(id)
      const change = was && findChange(object, was, is)
      if (change !== undefined) contents.set(id, change)
    }
    if (isSelected(object)) await log(write, contents, audit)
    const changed = [...contents].map(
      ([id, content]) => [id, [...listChanged(content), 'LastModifiedDate']] as const,
    )
    await logTopics(write, new Map(changed), audit)
  },
}
