import { ApiError } from '../../base/api-error.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { splitNamespace } from '../definitions/custom-name.ts'
import type { MetadataRecord } from '../definitions/definition.ts'
import type { Field } from '../fields/field.ts'
import { findValueProblem } from '../fields/field-type.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { requireObject, type SchemaSnapshot } from '../snapshot/snapshot.ts'

/** The columns of a record, by name. */
type Row = Readonly<Record<string, ColumnValue>>

const refuse = (object: ObjectType, { name }: MetadataRecord, field: Field, problem: string) =>
  new ApiError(
    'DEPLOYMENT_REFUSED',
    `${object.name}.${name}: ${field.name}: ${problem}. Deploy this record with another value, or without`,
    { fields: [field.name] },
  )

/** The ids of the records that a reference may name. */
type Targets = ReadonlyMap<Field, ReadonlyMap<string, string>>

const findTargets = (object: ObjectType, schema: SchemaSnapshot): Targets =>
  new Map(
    object.fields
      .filter(({ system, type }) => !system && type.refers === true)
      .map((field) => {
        const records = field.referenceTo.flatMap(
          (name) => requireObject(schema, name).definition.records ?? [],
        )
        return [field, new Map(records.map(({ name, id }) => [name, id!]))]
      }),
  )

/** Missing members have their default. Records that a deployment keeps may have values from before. */
function storedValue(
  object: ObjectType,
  record: MetadataRecord,
  field: Field,
  targets: Targets,
): ColumnValue {
  const given = record.values[field.name]
  const value = given === undefined ? (field.default ?? null) : given
  if (value === null) return field.type.emptyValue ?? null
  const records = targets.get(field)
  if (records !== undefined) {
    const id = records.get(String(value))
    if (id === undefined) {
      throw refuse(object, record, field, `there is no record ${value} of ${field.referenceTo.join(', ')}`)
    }
    return id
  }
  const problem = findValueProblem(field, value)
  if (problem !== undefined) throw refuse(object, record, field, problem)
  return field.type.coerce(value, field)
}

/** The rows of records of a metadata type, without audit fields. */
export function makeMetadataRows(
  object: ObjectType,
  schema: SchemaSnapshot,
  records: readonly MetadataRecord[],
): Row[] {
  const own = object.definition.fields.map(({ name }) => object.field(name)!)
  const targets = findTargets(object, schema)
  return records.map((record) => {
    const { namespace, base } = splitNamespace(record.name)
    return {
      id: record.id!,
      developername: base,
      masterlabel: record.label,
      label: record.label,
      language: 'en_US',
      namespaceprefix: namespace ?? null,
      qualifiedapiname: record.name,
      ...Object.fromEntries(own.map((field) => [field.column!, storedValue(object, record, field, targets)])),
    }
  })
}
