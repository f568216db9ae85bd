import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import { controllerOf } from '../../schema/describe/describe-field.ts'
import type { Field } from '../../schema/fields/field.ts'
import { refuseValue } from '../../schema/fields/picklist-value.ts'
import { allowedPicklistValues, isAllowedBeside, isLimited } from '../../schema/objects/allowed-values.ts'
import { RECORD_TYPE_ID } from '../../schema/objects/expand-definition.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { MASTER, recordTypeOf } from '../../schema/record-types/record-types-of.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { allowedValuesSql } from './allowed-values.sql.ts'
import type { PlannedRecord, Refusals } from './planned-record.ts'
import { missingFields } from './validate.ts'

type Values = ReadonlyMap<Field, ColumnValue>

/** The master type is none that a record would be of: whoever names it takes the record's type away. */
function takeMasterAway(field: Field, records: readonly PlannedRecord[]): void {
  for (const record of records) {
    if (record.values.get(field) === MASTER.id) record.values = new Map(record.values).set(field, null)
  }
}

/** A record may be of an active type of its object, whether a definition or a client made the type. */
async function refuseTypes(
  ctx: Context,
  object: ObjectType,
  field: Field,
  records: readonly PlannedRecord[],
): Promise<Refusals<PlannedRecord>> {
  const active = new Set<ColumnValue>([null])
  for (const { id, inactive } of object.definition.recordTypes ?? []) if (inactive !== true) active.add(id!)
  const isOpen = ({ values }: PlannedRecord) => values.has(field) && !active.has(values.get(field)!)
  const open = records.filter(isOpen).map(({ values }) => String(values.get(field)))
  if (open.length === 0) return new Map()
  const found = await ctx.db.query<{ id: string }>(allowedValuesSql.activeTypes(ctx.org, object, open))
  for (const { id } of found) active.add(id)
  return new Map(
    records.filter(isOpen).map((record) => {
      const message = `${field.label}: this ID value isn't valid for the user: ${record.values.get(field)}`
      return [
        record,
        new ApiError('INVALID_CROSS_REFERENCE_KEY', message, { status: 400, fields: [field.name] }),
      ]
    }),
  )
}

const decided = new WeakMap<ObjectType, readonly Field[]>()

/** The restricted picklists of an object in which not every value is offered for every record. */
const decidedFields = (object: ObjectType): readonly Field[] =>
  getOrInsert(decided, object, () =>
    object.fields.filter(
      (field) =>
        field.definition.restricted === true &&
        (controllerOf(object, field) !== undefined || isLimited(field, object.definition.recordTypes ?? [])),
    ),
  )

const deciding = new WeakMap<ObjectType, readonly Field[]>()

/** The fields that decide what is offered in others. */
const decidingFields = (object: ObjectType): readonly Field[] =>
  getOrInsert(deciding, object, () => {
    const controllers = decidedFields(object).flatMap((field) => controllerOf(object, field) ?? [])
    return [...new Set([object.field(RECORD_TYPE_ID) ?? [], controllers].flat())]
  })

/** What records that are there hold in fields that are not written. */
async function loadDeciding(
  ctx: Context,
  object: ObjectType,
  deciding: readonly Field[],
  records: readonly PlannedRecord[],
): Promise<ReadonlyMap<string, Values>> {
  const open = records.filter(({ values }) => deciding.some((field) => !values.has(field)))
  if (open.length === 0) return new Map()
  const ids = open.map(({ id }) => id)
  const rows = await ctx.db.rows(allowedValuesSql.deciding(ctx.org, object, deciding, ids))
  return new Map(
    rows.map(([id, ...held]) => [
      String(id),
      new Map(deciding.map((field, at) => [field, held[at] ?? null])),
    ]),
  )
}

/** Refuses a value that is not offered to a record of its type, or not beside the value of its controlling field. */
function checkValue(object: ObjectType, field: Field, value: ColumnValue, values: Values): void {
  const allowedValues = allowedPicklistValues(
    field,
    recordTypeOf(object, values.get(object.field(RECORD_TYPE_ID)!)),
  )
  const controller = controllerOf(object, field)
  const isAllowedValue = (one: string) =>
    allowedValues.some((entry) => entry.value === one) &&
    (controller === undefined || isAllowedBeside(field, one, controller, values.get(controller)))
  const chosen = field.type.operators.includes('includes') ? String(value).split(';') : [String(value)]
  const refused = chosen.find((one) => !isAllowedValue(one))
  if (refused !== undefined) throw refuseValue(refused, field)
}

/** @param held what the record has in fields that are not written */
function checkValues(object: ObjectType, written: Values, held: Values | undefined): void {
  const values = held === undefined ? written : new Map([...held, ...written])
  for (const field of decidedFields(object)) {
    const value = written.get(field) ?? null
    if (value !== null) checkValue(object, field, value, values)
  }
}

const requiredLists = new WeakMap<ObjectType, readonly Field[]>()

/** Required picklists whose default is not offered to every record: somebody has to give a value then. */
function checkGiven(object: ObjectType, values: Values): void {
  const fields = getOrInsert(requiredLists, object, () =>
    object.fields.filter(
      ({ picklist, nillable, default: defaultValue }) =>
        picklist.length > 0 && !nillable && defaultValue !== undefined,
    ),
  )
  const missing = fields.filter((field) => (values.get(field) ?? null) === null)
  if (missing.length > 0) throw missingFields(missing)
}

/**
 * Record types and what follows from them. The values of restricted picklists are checked where they are written: a
 * record that becomes of another type, or gets another controlling value, keeps what it holds. A picklist that is not
 * restricted takes any value, whatever its record type or controlling field would offer: that is what clients of the
 * public interface rely on.
 */
export async function checkAllowedValues(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  purpose: 'create' | 'update',
): Promise<Refusals<PlannedRecord>> {
  const typeField = object.field(RECORD_TYPE_ID)
  if (typeField !== undefined) takeMasterAway(typeField, records)
  const refusals = typeField === undefined ? new Map() : await refuseTypes(ctx, object, typeField, records)
  const fields = decidedFields(object)
  const isConcerned = ({ values }: PlannedRecord) =>
    fields.some((field) => (values.get(field) ?? null) !== null)
  const decidedBy = decidingFields(object)
  const held =
    purpose === 'create' ? undefined : await loadDeciding(ctx, object, decidedBy, records.filter(isConcerned))
  for (const record of records) {
    // One that is not there is refused for that, where it is written.
    const isKnown =
      held === undefined || held.has(record.id) || decidedBy.every((field) => record.values.has(field))
    if (!isKnown || refusals.has(record)) continue
    try {
      if (purpose === 'create') checkGiven(object, record.values)
      if (isConcerned(record)) checkValues(object, record.values, held?.get(record.id))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusals.set(record, error)
    }
  }
  return refusals
}
