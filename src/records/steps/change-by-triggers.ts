import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../base/api-error.ts'
import type { Context, TriggerTime } from '../../context.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import { WrongKind } from '../../schema/fields/field-type.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { type PlannedRecord, throwRefusals } from '../prepare/planned-record.ts'
import { checkIds, validateValues } from '../prepare/validate.ts'
import { hasTrigger, runTriggers } from './triggers.ts'

type WireRecord = Record<string, unknown>

function wireValue(field: Field, value: ColumnValue, recordUrl: string): unknown {
  const { type } = field
  if (value === null) return null
  // A document is written as its text, and read as what it is.
  return type.hasMembers === true
    ? type.readText!(value as string)
    : (type.read?.(value, recordUrl, field) ?? value)
}

/** Prepared values in their JSON form, merged over the stored record. */
function wireRecord(
  ctx: Context,
  object: ObjectType,
  values: RecordValues,
  base: Readonly<WireRecord> = {},
): WireRecord {
  const url = `${ctx.version.path}/sobjects/${object.name}/${base.Id ?? ''}`
  const record: WireRecord = {}
  for (const field of object.fields) {
    if (field.parts.length > 0) continue
    const value = values.get(field)
    record[field.name] = value === undefined ? (base[field.name] ?? null) : wireValue(field, value, url)
  }
  return record
}

/** Returns a record with documents of its own, which a trigger may change in place. */
function withOwnDocuments(object: ObjectType, record: Readonly<WireRecord>): WireRecord {
  const own = { ...record }
  for (const { name, type } of object.fields)
    if (type.hasMembers === true) own[name] = structuredClone(record[name])
  return own
}

function coerceChange(object: ObjectType, name: string, value: unknown): [Field, ColumnValue] {
  const field = object.field(name)
  if (field?.column === undefined || field.system || field.type.counted === true) {
    throw new ApiError('INVALID_FIELD', `A trigger may not set ${name} on ${object.name}`)
  }
  try {
    return [field, value === null || value === undefined ? null : field.type.coerce(value, field)]
  } catch (error) {
    if (!(error instanceof WrongKind)) throw error
    const message = `A trigger set ${name} on ${object.name} to a value that is not a ${error.kind}`
    throw new ApiError('INVALID_FIELD', message, { fields: [field.name] })
  }
}

/** Refuses values that their fields cannot hold. One of a field that the caller does not see is not quoted. */
function validateChanges(ctx: Context, object: ObjectType, changes: RecordValues): void {
  for (const change of changes) {
    const [field] = change
    try {
      validateValues(new Map([change]))
    } catch (error) {
      const isHidden = ctx.visible.object(object.name)?.field(field.name) === undefined
      if (!(error instanceof ApiError) || !isHidden) throw error
      const message = `A trigger set ${field.name} on ${object.name} to a value that the field cannot hold`
      throw new ApiError(error.code, message, { fields: [field.name], cause: error })
    }
  }
}

/** The changes that triggers made to a record, as values to be written. */
function collectChanges(
  ctx: Context,
  object: ObjectType,
  before: Readonly<WireRecord>,
  after: Readonly<WireRecord>,
): RecordValues {
  const changes: RecordValues = new Map()
  for (const name of Object.keys(after)) {
    const isSame =
      object.field(name)?.type.hasMembers === true
        ? isDeepStrictEqual(after[name], before[name])
        : after[name] === before[name]
    if (!isSame) changes.set(...coerceChange(object, name, after[name]))
  }
  checkIds(changes, ctx.schema)
  validateChanges(ctx, object, changes)
  return changes
}

interface Changing {
  readonly item: PlannedRecord
  readonly old: Readonly<WireRecord> | undefined
}

/**
 * Runs the before-triggers and applies their changes to the records.
 * @param check throws if the values are still incomplete
 * @throws RecordsRefused
 */
export async function changeByTriggers(
  ctx: Context,
  object: ObjectType,
  time: TriggerTime & `before${string}`,
  changing: readonly Changing[],
  check: (values: RecordValues) => void,
): Promise<void> {
  if (!hasTrigger(ctx, object, time)) return
  const fired = changing.map(({ item, old }) => {
    const before = wireRecord(ctx, object, item.prepared, old)
    return { item, old, record: withOwnDocuments(object, before), before }
  })
  await runTriggers(ctx, object, time, fired)
  const refusals = new Map<PlannedRecord, ApiError>()
  for (const { item, record, before } of fired) {
    try {
      item.values = new Map([...item.prepared, ...collectChanges(ctx, object, before, record)])
      check(item.values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusals.set(item, error)
    }
  }
  throwRefusals(refusals)
}
