import { oncePer } from '../../base/get-or-insert.ts'
import type { RecordType } from '../../schema/definitions/definition.ts'
import { findController } from '../../schema/describe/describe-field.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import { defaultFor, isAllowedBeside } from '../../schema/objects/allowed-values.ts'
import { RECORD_TYPE_ID } from '../../schema/objects/expand-definition.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { getRecordType, MASTER } from '../../schema/record-types/get-record-types.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import type { OrgDefaults } from '../../storage/orgs/org.ts'

interface FieldDefault {
  readonly field: Field
  /** Undefined: only the org may have chosen one. */
  readonly value: ColumnValue | undefined
}

/** The defaults of an object's records, for each of its record types. */
const defaultsOf = oncePer((object: ObjectType) =>
  oncePer((type: RecordType): readonly FieldDefault[] =>
    object.fields.flatMap((field) => {
      const value = defaultFor(field, type)
      const has = value !== undefined || field.definition.orgDefault !== undefined
      return has && field.column !== undefined ? [{ field, value }] : []
    }),
  ),
)

/** The record type of a new record: the given one, else the object's default. */
function findRecordType(object: ObjectType, values: RecordValues): RecordType {
  const field = object.field(RECORD_TYPE_ID)
  if (field === undefined) return MASTER
  const given = values.get(field)
  return getRecordType(object, given === undefined ? field.default : given)
}

/**
 * Fills the values that a create omits: defaults of fields, and false for a boolean that is null. An explicit null stays
 * null if the field is nillable. A default that the controlling value does not allow is not used.
 */
export function applyDefaults(object: ObjectType, values: RecordValues, orgDefaults: OrgDefaults): void {
  const dependent: Field[] = []
  for (const { field, value } of defaultsOf(object)(findRecordType(object, values))) {
    const given = values.get(field)
    if (given !== undefined && (given !== null || field.nillable)) continue
    const { orgDefault } = field.definition
    const chosen = (orgDefault && orgDefaults[orgDefault]) ?? value
    if (chosen === undefined) continue
    values.set(field, chosen)
    if (field.definition.controller !== undefined) dependent.push(field)
  }
  for (const field of dependent) {
    const controller = findController(object, field)
    if (controller === undefined) continue
    if (!isAllowedBeside(field, values.get(field), controller, values.get(controller))) values.delete(field)
  }
  for (const [field, value] of values) {
    const { emptyValue } = field.type
    if (value === null && emptyValue !== undefined) values.set(field, emptyValue)
  }
}

/** True if it is a custom record without a name. */
export function needsName({ nameField }: ObjectType, values: RecordValues): boolean {
  return (
    nameField?.createable === true && nameField.defaultedOnCreate && (values.get(nameField) ?? null) === null
  )
}

/** A custom record without a name is named by its id. */
export function nameById(object: ObjectType, values: RecordValues, id: string): void {
  if (needsName(object, values)) values.set(object.nameField!, id)
}
