import { ApiError } from '../../base/api-error.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Context } from '../../context.ts'
import { findController } from '../../schema/describe/describe-field.ts'
import type { Field } from '../../schema/fields/field.ts'
import { refuseValue } from '../../schema/fields/picklist-value.ts'
import { getAllowedValues, isAllowedBeside, isLimited } from '../../schema/objects/allowed-values.ts'
import { RECORD_TYPE_ID } from '../../schema/objects/expand-definition.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { getRecordType, MASTER } from '../../schema/record-types/get-record-types.ts'
import { recordTypeSql } from '../../schema/record-types/record-types.sql.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import type { PlannedRecord, Refusals } from './planned-record.ts'
import { missingFields } from './validate.ts'
import { allowedValuesSql } from './written-rows.sql.ts'

type Values = ReadonlyMap<Field, ColumnValue>

/** A record never stores the master record type: naming it clears the record's type. */
function clearMasterType(field: Field, records: readonly PlannedRecord[]): void {
  for (const record of records) {
    if (record.values.get(field) === MASTER.id) record.values = new Map(record.values).set(field, null)
  }
}

/**
 * A record may name any active record type of its object, or of the one that the field is for, from a definition or created by a client.
 * @param object whose record types they are
 */
async function refuseTypes(
  ctx: Context,
  object: ObjectType,
  field: Field,
  records: readonly PlannedRecord[],
): Promise<Refusals<PlannedRecord>> {
  const active = new Set<ColumnValue>([null])
  for (const { id, inactive } of object.definition.recordTypes ?? []) if (inactive !== true) active.add(id!)
  const isUnknown = ({ values }: PlannedRecord) => values.has(field) && !active.has(values.get(field)!)
  const unknown = records.filter(isUnknown).map(({ values }) => String(values.get(field)))
  if (unknown.length === 0) return new Map()
  const found = await ctx.db.query<{ id: string }>(recordTypeSql.findActive(ctx.org, object.name, unknown))
  for (const { id } of found) active.add(id)
  return new Map(
    records.filter(isUnknown).map((record) => {
      const message = `${field.label}: this ID value isn't valid for the user: ${record.values.get(field)}`
      return [
        record,
        new ApiError('INVALID_CROSS_REFERENCE_KEY', message, { status: 400, fields: [field.name] }),
      ]
    }),
  )
}

/** The fields that name record types. */
const getTypeFields = oncePer(({ fields }: ObjectType) =>
  fields.filter(({ name, definition }) => name === RECORD_TYPE_ID || definition.recordTypesOf !== undefined),
)

/** The restricted picklists of an object whose allowed values differ between records. */
const getDependentFields = oncePer((object: ObjectType) =>
  object.fields.filter(
    (field) =>
      field.definition.restricted === true &&
      (findController(object, field) !== undefined || isLimited(field, object.definition.recordTypes ?? [])),
  ),
)

/** The fields that decide the allowed values of others. */
const getControllingFields = oncePer((object: ObjectType): readonly Field[] => {
  const controllers = getDependentFields(object).flatMap((field) => findController(object, field) ?? [])
  return [...new Set([object.field(RECORD_TYPE_ID) ?? [], controllers].flat())]
})

/** The stored values of the controlling fields that an update does not write. */
async function loadControllingValues(
  ctx: Context,
  object: ObjectType,
  controlling: readonly Field[],
  records: readonly PlannedRecord[],
): Promise<ReadonlyMap<string, Values>> {
  const open = records.filter(({ values }) => controlling.some((field) => !values.has(field)))
  if (open.length === 0) return new Map()
  const ids = open.map(({ id }) => id)
  const rows = await ctx.db.rows(allowedValuesSql.controllingValues(ctx.org, object, controlling, ids))
  return new Map(
    rows.map(([id, ...held]) => [
      String(id),
      new Map(controlling.map((field, at) => [field, held[at] ?? null])),
    ]),
  )
}

/** Refuses a value that the record's type, or the value of the controlling field, does not allow. */
function checkValue(object: ObjectType, field: Field, value: ColumnValue, values: Values): void {
  const allowedValues = getAllowedValues(
    field,
    getRecordType(object, values.get(object.field(RECORD_TYPE_ID)!)),
  )
  const controller = findController(object, field)
  const isAllowedValue = (one: string) =>
    allowedValues.has(one) &&
    (controller === undefined || isAllowedBeside(field, one, controller, values.get(controller)))
  const chosen = field.type.operators.includes('includes') ? String(value).split(';') : [String(value)]
  const refused = chosen.find((one) => !isAllowedValue(one))
  if (refused !== undefined) throw refuseValue(refused, field)
}

/** @param held stored values of the controlling fields that are not written */
function checkValues(object: ObjectType, written: Values, held: Values | undefined): void {
  const values = held === undefined ? written : new Map([...held, ...written])
  for (const field of getDependentFields(object)) {
    const value = written.get(field) ?? null
    if (value !== null) checkValue(object, field, value, values)
  }
}

const getRequiredPicklists = oncePer(({ fields }: ObjectType) =>
  fields.filter(
    ({ picklist, nillable, default: defaultValue }) =>
      picklist.length > 0 && !nillable && defaultValue !== undefined,
  ),
)

/** Refuses a record without a value for a required picklist whose default its record type does not allow. */
function checkRequiredPicklists(object: ObjectType, values: Values): void {
  const missing = getRequiredPicklists(object).filter((field) => (values.get(field) ?? null) === null)
  if (missing.length > 0) throw missingFields(missing)
}

/** True if a write of these values may be refused for the values that record types and controlling fields allow. */
export const limitsValues = (object: ObjectType, values: Values, purpose: 'create' | 'update'): boolean =>
  getTypeFields(object).some((field) => values.has(field)) ||
  getDependentFields(object).some((field) => values.has(field)) ||
  (purpose === 'create' && getRequiredPicklists(object).length > 0)

/**
 * Checks record types and the picklist values that they allow. A restricted picklist is checked only when it is written:
 * a record whose type or controlling value changes keeps its values. A picklist that is not restricted takes any value,
 * whatever its record type or controlling field allows; clients of the public interface rely on that.
 */
export async function checkAllowedValues(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  purpose: 'create' | 'update',
): Promise<Refusals<PlannedRecord>> {
  const typeField = object.field(RECORD_TYPE_ID)
  if (typeField !== undefined) clearMasterType(typeField, records)
  const refusals: Refusals<PlannedRecord> = new Map()
  for (const field of getTypeFields(object)) {
    const { recordTypesOf = object.name } = field.definition
    const of = requireObject(ctx.schema, recordTypesOf)
    for (const [record, error] of await refuseTypes(ctx, of, field, records)) refusals.set(record, error)
  }
  const fields = getDependentFields(object)
  const needsCheck = ({ values }: PlannedRecord) =>
    fields.some((field) => (values.get(field) ?? null) !== null)
  const decidedBy = getControllingFields(object)
  const held =
    purpose === 'create'
      ? undefined
      : await loadControllingValues(ctx, object, decidedBy, records.filter(needsCheck))
  const pauseIfDue = makePauses()
  for (const record of records) {
    const pause = pauseIfDue()
    if (pause !== undefined) await pause
    // The write itself refuses a record that does not exist.
    const isKnown =
      held === undefined || held.has(record.id) || decidedBy.every((field) => record.values.has(field))
    if (!isKnown || refusals.has(record)) continue
    try {
      if (purpose === 'create') checkRequiredPicklists(object, record.values)
      if (needsCheck(record)) checkValues(object, record.values, held?.get(record.id))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusals.set(record, error)
    }
  }
  return refusals
}
