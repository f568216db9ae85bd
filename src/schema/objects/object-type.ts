import type { FieldDefinition, ObjectDefinition } from '../definitions/definition.ts'
import type { Field, ListedValue } from '../fields/field.ts'
import { FIELD_TYPES } from '../fields/registry.ts'
import { expandFields, isSystemField, RECORD_TYPE_ID } from './expand-definition.ts'

/** A way down from an object to the records that point to it. */
export interface ChildRelationship {
  /** `Contacts`; undefined when it cannot be walked. */
  readonly name: string | undefined
  /** API name of the pointing object, and its reference field. */
  readonly childObject: string
  readonly field: Field
  readonly onDelete: 'clear' | 'cascade' | 'restrict'
}

/** An object as the server works with it. Frozen; part of a snapshot. */
export interface ObjectType {
  readonly definition: ObjectDefinition
  readonly name: string
  readonly keyPrefix: string
  readonly custom: boolean
  /** Name of its table in the org's schema. */
  readonly table: string
  /** In describe order. */
  readonly fields: readonly Field[]
  readonly nameField: Field | undefined
  /** Those whose values are encrypted in the database; mostly none. */
  readonly encryptedFields: readonly Field[]
  /** Fields by name without case. */
  field(name: string): Field | undefined
  /** The reference field behind a relationship name, without case: AccountId for `account`. */
  parent(relationship: string): Field | undefined
  /** Every way down, named or not. */
  readonly children: readonly ChildRelationship[]
  child(relationship: string): ChildRelationship | undefined
  /** The object with all of its fields, where this one shows only what somebody may read. */
  readonly whole?: ObjectType
}

/** The object itself, whatever somebody may read of it. */
export const unrestricted = (object: ObjectType): ObjectType => object.whole ?? object

function picklistOf(definition: FieldDefinition): ListedValue[] {
  return (definition.values ?? []).map((entry) => {
    const value = typeof entry === 'string' ? { value: entry } : entry
    return {
      value: value.value,
      label: value.label ?? value.value,
      default: value.default ?? false,
      inactive: value.inactive ?? false,
      validFor: value.validFor,
    }
  })
}

/** The value that a create gets which names none. */
function defaultOf(
  definition: FieldDefinition,
  object: ObjectDefinition,
  picklist: readonly ListedValue[],
): string | number | boolean | undefined {
  if (definition.name === RECORD_TYPE_ID) return object.recordTypes?.find((type) => type.default === true)?.id
  return definition.default ?? picklist.find((entry) => entry.default)?.value
}

/** (docs/reference/api/metadata.md#describe-of-an-object) */
function isPermissionable(definition: FieldDefinition, object: ObjectDefinition): boolean {
  const { name, required, masterDetail, nameField, compound, computed } = definition
  if (required === true || masterDetail !== undefined || nameField === true) return false
  if (isSystemField(name) || name === RECORD_TYPE_ID) return false
  if (FIELD_TYPES[definition.type].compose !== undefined) return false
  if (object.fields.some((other) => other.name === compound && other.type === 'personname')) return false
  return computed === true || definition.createable !== false || definition.updateable !== false
}

function makeField(definition: FieldDefinition, object: ObjectDefinition, parts: readonly Field[]): Field {
  const type = FIELD_TYPES[definition.type]
  const picklist = picklistOf(definition)
  const memberships = defaultOf(definition, object, picklist)
  const compound = parts.length > 0
  const custom = object.name.endsWith('__c')
  const system = isSystemField(definition.name)
  // A custom object's text name is the record's id when a create gives none.
  const namedById = custom && definition.nameField === true && !type.alwaysFilled
  return Object.freeze({
    definition,
    name: definition.name,
    label: definition.label,
    type,
    column: type.column(definition) === undefined ? undefined : definition.name.toLowerCase(),
    createable: definition.createable !== false && !definition.computed && !type.counted && !compound,
    updateable: updateable(definition) && !type.counted && !compound,
    nillable: !(
      definition.required === true ||
      definition.masterDetail !== undefined ||
      type.alwaysFilled === true
    ),
    default: memberships,
    defaultedOnCreate:
      memberships !== undefined ||
      type.alwaysFilled === true ||
      definition.name === 'OwnerId' ||
      namedById ||
      system,
    idLookup:
      definition.idLookup === true ||
      definition.externalId === true ||
      definition.name === 'Id' ||
      (definition.nameField === true && type.operators.includes('equality')),
    referenceTo: definition.to ?? [],
    picklist,
    parts,
    permissionable: isPermissionable(definition, object),
    system,
  })
}

function updateable(definition: FieldDefinition): boolean {
  if (definition.updateable === false || definition.computed === true) return false
  return definition.masterDetail === undefined || definition.reparentable === true
}

/** The fields of an object, each compound one with its parts. */
export function makeFields(object: ObjectDefinition): Field[] {
  const definitions = expandFields(object)
  const made = new Map<string, Field>()
  for (const definition of definitions) {
    const parts = definitions
      .filter((other) => other.compound === definition.name)
      .map((other) => made.get(other.name) ?? makeField(other, object, []))
    made.set(definition.name, makeField(definition, object, parts))
  }
  return [...made.values()]
}

/** Children come from the other objects' references, so the snapshot finds them. */
export function makeObjectType(
  definition: ObjectDefinition,
  fields: readonly Field[],
  children: readonly ChildRelationship[],
  whole?: ObjectType,
): ObjectType {
  const byName = new Map(fields.map((field) => [field.name.toLowerCase(), field]))
  const byRelationship = new Map(
    fields
      .filter((field) => field.definition.relationship !== undefined)
      .map((field) => [field.definition.relationship!.toLowerCase(), field]),
  )
  const byChildName = new Map(
    children.filter((child) => child.name !== undefined).map((child) => [child.name!.toLowerCase(), child]),
  )
  return Object.freeze({
    definition,
    name: definition.name,
    keyPrefix: definition.keyPrefix,
    custom: definition.name.endsWith('__c'),
    table: definition.name.toLowerCase(),
    fields,
    nameField: fields.find((field) => field.definition.nameField === true),
    encryptedFields: fields.filter((field) => field.type.encrypted !== undefined),
    field: (name: string) => byName.get(name.toLowerCase()),
    parent: (relationship: string) => byRelationship.get(relationship.toLowerCase()),
    children,
    child: (relationship: string) => byChildName.get(relationship.toLowerCase()),
    whole,
  })
}
