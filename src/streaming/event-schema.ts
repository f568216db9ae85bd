import { createHash } from 'node:crypto'
import { getOrInsert, oncePer } from '../base/get-or-insert.ts'
import { CHANGE_KINDS } from '../records/events/event-content.ts'
import { isEventObject } from '../schema/definitions/custom-name.ts'
import { changeEventName } from '../schema/definitions/event-channels.ts'
import type { Field } from '../schema/fields/field.ts'
import type { LiteralKind } from '../schema/fields/field-type.ts'
import { listTold } from '../schema/fields/told-field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { placeOf } from './compound-parts.ts'

/*
 * The form of events, as Avro has it. (docs/reference/api/streaming.md#schemas)
 */

type AvroType = string | readonly AvroType[] | AvroRecord | AvroEnum | AvroArray

interface AvroField {
  readonly name: string
  readonly type: AvroType
  readonly doc?: string
  readonly default?: null
}

interface AvroRecord {
  readonly type: 'record'
  readonly name: string
  readonly namespace?: string
  readonly doc?: string
  readonly fields: readonly AvroField[]
}

interface AvroEnum {
  readonly type: 'enum'
  readonly name: string
  readonly symbols: readonly string[]
}

interface AvroArray {
  readonly type: 'array'
  readonly items: AvroType
}

const NAMESPACE = 'com.sforce.eventbus'

/** How values of a kind are written: in binary events, and in JSON. */
interface Written {
  readonly binary: string
  readonly json: string
}

const same = (type: string): Written => ({ binary: type, json: type })
/** Milliseconds, or a text. */
const TIME: Written = { binary: 'long', json: 'string' }

const WRITTEN: Readonly<Record<LiteralKind, Written>> = {
  string: same('string'),
  id: same('string'),
  boolean: same('boolean'),
  int: same('int'),
  double: same('double'),
  date: TIME,
  dateTime: TIME,
  time: TIME,
}

type Format = keyof Written

const nullable = (name: string, type: AvroType): AvroField => ({ name, type: ['null', type], default: null })

const typeOf = ({ type }: Field, format: Format) => WRITTEN[type.literal][format]

/** The fields in the order of the object, those of a compound field in a record of its own. */
function listFields(fields: readonly Field[], format: Format): AvroField[] {
  const listed = new Map<string, AvroField[]>()
  const single = new Map<string, AvroField>()
  for (const field of fields) {
    const [outer, inner] = placeOf(field)
    if (inner === undefined) single.set(outer, nullable(outer, typeOf(field, format)))
    getOrInsert(listed, outer, () => []).push(nullable(inner ?? outer, typeOf(field, format)))
  }
  return [...listed].map(
    ([name, parts]) => single.get(name) ?? nullable(name, { type: 'record', name, fields: parts }),
  )
}

const STRINGS: AvroArray = { type: 'array', items: 'string' }

const HEADER: AvroRecord = {
  type: 'record',
  name: 'ChangeEventHeader',
  fields: [
    { name: 'entityName', type: 'string' },
    { name: 'recordIds', type: STRINGS },
    { name: 'changeType', type: { type: 'enum', name: 'ChangeType', symbols: CHANGE_KINDS } },
    { name: 'changeOrigin', type: 'string' },
    { name: 'transactionKey', type: 'string' },
    { name: 'sequenceNumber', type: 'int' },
    { name: 'commitTimestamp', type: 'long' },
    { name: 'commitNumber', type: 'long' },
    { name: 'commitUser', type: 'string' },
    { name: 'nulledFields', type: STRINGS },
    { name: 'diffFields', type: STRINGS },
    { name: 'changedFields', type: STRINGS },
  ],
}

const nameOf = ({ name }: ObjectType) => (isEventObject(name) ? name : changeEventName(name))

function listMembers(object: ObjectType, format: Format): AvroField[] {
  if (!isEventObject(object.name))
    return [{ name: 'ChangeEventHeader', type: HEADER }, ...listFields(listTold(object.fields), format)]
  const own = object.definition.fields.map(({ name }) => object.field(name)!)
  return [
    { name: 'CreatedDate', type: TIME[format], doc: 'CreatedDate:DateTime' },
    { name: 'CreatedById', type: 'string', doc: 'CreatedBy:EntityId' },
    ...listFields(own, format),
  ]
}

/** Normalizes a schema, as the specification of Avro says: without what readers do not need, with full names. */
function normalize(type: AvroType): unknown {
  if (typeof type === 'string') return type
  if (!('type' in type)) return type.map(normalize)
  if (type.type === 'array') return { type: 'array', items: normalize(type.items) }
  const name = `${NAMESPACE}.${type.name}`
  if (type.type === 'enum') return { name, type: 'enum', symbols: type.symbols }
  const fields = type.fields.map((field) => ({ name: field.name, type: normalize(field.type) }))
  return { name, type: 'record', fields }
}

const recordOf = (object: ObjectType): AvroRecord => ({
  type: 'record',
  name: nameOf(object),
  namespace: NAMESPACE,
  fields: listMembers(object, 'binary'),
})

/** Returns the id of the schema: a fingerprint, 16 bytes as base64 for addresses. */
export const schemaOf = oncePer((object: ObjectType): string =>
  createHash('md5')
    .update(JSON.stringify(normalize(recordOf(object))))
    .digest('base64url'),
)

/** Returns the Avro schema of binary events. */
export const compactSchema = oncePer((object: ObjectType): object => ({
  ...recordOf(object),
  uuid: schemaOf(object),
}))

/** Returns the same for events in JSON, with what is around the payload. */
export const expandedSchema = oncePer((object: ObjectType): object => {
  const payload = { type: 'record', name: 'Payload', doc: '', fields: listMembers(object, 'json') }
  const ids = [
    { name: 'replayId', type: 'long' },
    ...(isEventObject(object.name) ? [{ name: 'EventUuid', type: 'string' }] : []),
  ]
  const data = [
    { name: 'schema', type: 'string' },
    { name: 'payload', type: payload },
    { name: 'event', type: { type: 'record', name: 'Event', fields: ids } },
  ]
  return {
    name: nameOf(object),
    namespace: NAMESPACE,
    type: 'expanded-record',
    fields: [
      { name: 'data', type: { type: 'record', name: 'Data', namespace: '', fields: data } },
      { name: 'channel', type: 'string' },
    ],
    uuid: schemaOf(object),
  }
})
