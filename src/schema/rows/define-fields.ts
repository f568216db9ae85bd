import { derivedRecordId } from '../../base/record-id.ts'
import { indexedFields } from '../change/ddl.sql.ts'
import { getNamespacePrefix } from '../definitions/custom-name.ts'
import { describeFieldOf } from '../describe/describe-field.ts'
import { dataTypeLabel, type Field } from '../fields/field.ts'
import { type ObjectType, unrestricted } from '../objects/object-type.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'

/** A row of `FieldDefinition`, by column. */
export type FieldRow = Readonly<Record<string, string | number | boolean | null>>

const CUSTOM = /__[cs]$/

/** The namespace of a field, and its name without that and the suffix. A part has the namespace of its compound field. */
function splitName({ name, definition }: Field): {
  readonly namespace: string | null
  readonly bare: string
} {
  if (!CUSTOM.test(name)) return { namespace: null, bare: name }
  const prefix = getNamespacePrefix(definition.compound ?? name)
  return { namespace: prefix === '' ? null : prefix.slice(0, -2), bare: name.slice(prefix.length, -3) }
}

function defineField(
  schema: SchemaSnapshot,
  object: ObjectType,
  field: Field,
  facts: { readonly prefix: string; readonly position: number; readonly isIndexed: boolean },
): FieldRow {
  const described = describeFieldOf(schema, object, field)
  const { namespace, bare } = splitName(field)
  return {
    id: derivedRecordId(facts.prefix, object.keyPrefix, facts.position),
    durableid: `${object.name}.${field.name}`,
    entitydefinitionid: object.name,
    qualifiedapiname: field.name,
    developername: bare,
    namespaceprefix: namespace,
    label: field.label,
    masterlabel: field.label,
    datatype: dataTypeLabel(field, described.referenceTo),
    valuetypeid: described.type,
    length: described.length,
    precision: described.precision,
    scale: described.scale,
    iscalculated: described.calculated,
    iscompound: field.parts.length > 0,
    isnamefield: described.nameField,
    isnillable: described.nillable,
    isindexed: facts.isIndexed,
    isapifilterable: described.filterable,
    isapigroupable: described.groupable,
    isapisortable: described.sortable,
    ispolymorphicforeignkey: described.polymorphicForeignKey,
    relationshipname: described.relationshipName,
    referenceto: described.referenceTo.length === 0 ? null : described.referenceTo.join(', '),
    description: field.definition.description ?? null,
  }
}

/**
 * The fields of an object as rows of `FieldDefinition`.
 * @param object as the caller may see it
 * @param prefix of the ids of the rows
 */
export function defineFields(schema: SchemaSnapshot, object: ObjectType, prefix: string): FieldRow[] {
  const { fields, definition } = unrestricted(object)
  const indexed = new Set(
    definition.view === undefined ? indexedFields(unrestricted(object)).map(({ name }) => name) : [],
  )
  const positions = new Map(fields.map(({ name }, position) => [name, position]))
  return object.fields.map((field) =>
    defineField(schema, object, field, {
      prefix,
      position: positions.get(field.name)!,
      isIndexed: indexed.has(field.name),
    }),
  )
}
