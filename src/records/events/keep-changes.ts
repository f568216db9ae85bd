import { isDeepStrictEqual } from 'node:util'
import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import { type Field, isStored } from '../../schema/fields/field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { type RecordBody, RecordFormat } from '../../schema/snapshot/record-format.sql.ts'
import type { Observer, PlannedWrite, WriteKind } from '../prepare/planned-write.ts'
import { readRecords } from '../read/read.ts'
import { type EventContent, type EventKind, MAX_EVENT_LENGTH } from './event-content.ts'
import { findTopics, logTopics } from './keep-topics.ts'
import { logEvents } from './log-events.sql.ts'

/*
 * What is told of changes to those who follow an object. (docs/reference/api/streaming.md#change-events)
 */

const KINDS: Readonly<Record<WriteKind, EventKind>> = {
  insert: 'CREATE',
  update: 'UPDATE',
  delete: 'DELETE',
  undelete: 'UNDELETE',
}

const NOT_TOLD: ReadonlySet<string> = new Set(['Id', 'IsDeleted', 'SystemModstamp'])
/** Fields that a change does not consist of. */
const CHANGE_MARKS: ReadonlySet<string> = new Set(['LastModifiedDate', 'LastModifiedById'])

/** True if events tell of the field: not of what others compute, and not of bytes. */
const isTold = (field: Field): boolean =>
  isStored(field) &&
  field.formula === undefined &&
  field.type.holdsBytes !== true &&
  !NOT_TOLD.has(field.name)

/** The fields that events tell of. A stored compound name is told by its parts. */
const fieldsOf = oncePer(({ fields }: ObjectType): readonly Field[] => {
  const compounds = new Set(fields.map(({ definition }) => definition.compound))
  return fields.filter((field) => isTold(field) && !compounds.has(field.name))
})
const formatOf = oncePer((object: ObjectType) => new RecordFormat(object, [...fieldsOf(object)]))

const read = ({ ctx, object, records }: PlannedWrite, wanted: 'living' | 'living, locked') =>
  readRecords(ctx, object, records, wanted, formatOf(object))

/** Encrypted values are in no log: it is told that they changed. */
const mayShow = ({ type }: Field) => type.encrypted === undefined

function listValues(object: ObjectType, record: RecordBody): NonNullable<EventContent['values']> {
  const shown = fieldsOf(object).filter((field) => mayShow(field) && record[field.name] !== null)
  return Object.fromEntries(shown.map(({ name }) => [name, record[name]]))
}

/** The difference of a record to what it was; undefined: there is none. */
function findChange(object: ObjectType, was: RecordBody, is: RecordBody): EventContent | undefined {
  const changed = fieldsOf(object).filter(({ name }) => !isDeepStrictEqual(was[name], is[name]))
  if (changed.every(({ name }) => CHANGE_MARKS.has(name))) return undefined
  const told = fieldsOf(object).filter(
    (field) => field.name === 'LastModifiedDate' || changed.includes(field),
  )
  return {
    changed: told.map(({ name }) => name),
    values: Object.fromEntries(told.filter(mayShow).map(({ name }) => [name, is[name]])),
  }
}

/** Logs events: one for the records that were changed alike. */
async function log(
  { ctx, object, kind }: PlannedWrite,
  contents: ReadonlyMap<string, EventContent>,
  audit: AuditFields,
): Promise<void> {
  const alike = new Map<string, { readonly content: EventContent; readonly ids: string[] }>()
  for (const [id, content] of contents)
    getOrInsert(alike, JSON.stringify(content), () => ({ content, ids: [] })).ids.push(id)
  const [whole, gaps]: [string[], string[]] = [[], []]
  for (const { content, ids } of alike.values()) {
    const text = JSON.stringify({ ids, ...content })
    if (text.length <= MAX_EVENT_LENGTH) whole.push(text)
    else gaps.push(JSON.stringify({ ids }))
  }
  const told = { object: object.name, origin: ctx.source }
  if (whole.length > 0) await ctx.db.query(logEvents(ctx.org, { ...told, kind: KINDS[kind] }, whole, audit))
  if (gaps.length > 0)
    await ctx.db.query(logEvents(ctx.org, { ...told, kind: `GAP_${KINDS[kind]}` as EventKind }, gaps, audit))
}

const isSelected = (object: ObjectType) => unrestricted(object).definition.changeEvents === true

/** What is told of records that were created, deleted or restored. */
async function makeContents(write: PlannedWrite): Promise<Map<string, EventContent>> {
  const { kind, object, records } = write
  if (kind === 'delete') return new Map(records.map(({ id }) => [id, {}]))
  const written = await read(write, 'living')
  return new Map([...written].map(([id, is]) => [id, { values: listValues(object, is) }]))
}

/** Keeps the changes of objects that are selected for change events or have PushTopics, and the events in the order of the changes. */
export const CHANGE_EVENTS: Observer = {
  wants: (ctx, kind, object, fields) =>
    (isSelected(object) || findTopics(ctx, object, kind).length > 0) &&
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
    const changed = [...contents].map(([id, content]) => [id, content.changed] as const)
    await logTopics(write, new Map(changed), audit)
  },
}
