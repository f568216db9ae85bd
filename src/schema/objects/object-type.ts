import { isCustomObject, isEventObject } from '../definitions/custom-name.ts'
import type { ObjectDefinition, ValidationRule } from '../definitions/definition.ts'
import { getStatus } from '../definitions/status-properties.ts'
import type { Field, FieldFormula, FieldRollUp, ListedValue, SchemaFormula } from '../fields/field.ts'
import type { FieldDefinition } from '../fields/field-definition.ts'
import type { FieldType } from '../fields/field-type.ts'
import { FIELD_TYPES } from '../fields/registry.ts'
import { addressOfBytes } from '../fields/url.ts'
import { expandFields, isSystemField, RECORD_TYPE_ID } from './expand-definition.ts'

/** The relationship from an object to the records that refer to it. */
export interface ChildRelationship {
  /** `Contacts`; undefined when queries cannot use it. */
  readonly name: string | undefined
  /** API name of the child object, and its reference field. */
  readonly childObject: string
  readonly field: Field
  readonly onDelete: 'clear' | 'cascade' | 'restrict'
  /** The children are rows of a table. Those of a view are what their sources say, whatever is deleted. */
  readonly stored: boolean
}

/** A validation rule with its compiled condition. */
export interface ObjectRule {
  readonly rule: ValidationRule
  readonly formula: SchemaFormula
}

/** A field of a master that sums up details. */
export interface MasterRollUp {
  /** API name of the master's object. */
  readonly master: string
  readonly field: Field
  readonly rollUp: FieldRollUp
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
  /** Fields whose values are encrypted in the database. */
  readonly encryptedFields: readonly Field[]
  /** True if its records have a field that holds bytes. */
  readonly hasBytes: boolean
  /** Fields by name without case. */
  field(name: string): Field | undefined
  /** The reference field behind a relationship name, without case: AccountId for `account`. */
  parent(relationship: string): Field | undefined
  /** Every child relationship, named or not. */
  readonly children: readonly ChildRelationship[]
  child(relationship: string): ChildRelationship | undefined
  /** The validation rules of its definition, with their compiled conditions. */
  readonly validations: readonly ObjectRule[]
  /** The fields of its masters that sum up its records. */
  readonly masterRollUps: readonly MasterRollUp[]
  /** The object with all of its fields, where this one has only the fields that a caller may read. */
  readonly unrestricted?: ObjectType | undefined
}

/** The object with all of its fields, whatever the caller may read. */
export const unrestricted = (object: ObjectType): ObjectType => object.unrestricted ?? object

function makePicklist(definition: FieldDefinition): ListedValue[] {
  return (definition.values ?? []).map((entry) => {
    const value = typeof entry === 'string' ? { value: entry } : entry
    return {
      value: value.value,
      label: value.label ?? value.value,
      default: value.default ?? false,
      inactive: value.inactive ?? false,
      validFor: value.validFor,
      status: getStatus(value),
    }
  })
}

/** The value of a new record that gives none. */
function findDefault(
  definition: FieldDefinition,
  object: ObjectDefinition,
  picklist: readonly ListedValue[],
): string | number | boolean | undefined {
  if (definition.name === RECORD_TYPE_ID) return object.recordTypes?.find((type) => type.default === true)?.id
  // Of nothing.
  if (definition.rollUp !== undefined)
    return ['count', 'sum'].includes(definition.rollUp.function) ? 0 : undefined
  return definition.default ?? picklist.find((entry) => entry.default)?.value
}

/** (docs/reference/api/metadata.md#describe-of-an-object) */
function isPermissionable(definition: FieldDefinition, object: ObjectDefinition): boolean {
  const { name, required, masterDetail, nameField, compound, computed, grantable } = definition
  // Who may publish an event gives all of its fields, and who may read it sees them.
  if (isEventObject(object.name)) return false
  if (required === true || masterDetail !== undefined || nameField === true) return false
  if (isSystemField(name) || name === RECORD_TYPE_ID) return false
  if (FIELD_TYPES[definition.type].compose !== undefined) return false
  if (object.fields.some((other) => other.name === compound && FIELD_TYPES[other.type].generated))
    return false
  if (isComputedBySchema(definition)) return true
  const isWritten = definition.createable !== false || definition.updateable !== false
  return computed === true || grantable === true || isWritten
}

/** The custom objects that references of standard objects may point to. */
export type CustomTargets = Readonly<Record<NonNullable<FieldDefinition['toCustom']>, readonly string[]>>

/** True if the schema says how its value follows from others: nobody writes it. */
const isComputedBySchema = ({ formula, rollUp }: FieldDefinition): boolean =>
  formula !== undefined || rollUp !== undefined

/** Makes formulas of the object with a name. */
export interface FormulaMakers {
  ofField(object: string, definition: FieldDefinition): FieldFormula | undefined
  ofDefault(object: string, definition: FieldDefinition): SchemaFormula | undefined
  ofRollUp(object: string, definition: FieldDefinition): FieldRollUp | undefined
  ofRule(object: string, rule: ValidationRule): SchemaFormula
}

const NO_FORMULAS: Pick<FormulaMakers, 'ofField' | 'ofDefault' | 'ofRollUp'> = {
  ofField: () => undefined,
  ofDefault: () => undefined,
  ofRollUp: () => undefined,
}

const NO_TARGETS: CustomTargets = { all: [], activities: [] }

function findColumn(definition: FieldDefinition, type: FieldType): string | undefined {
  const { copyOf, shows, lastChange, sumBelow, placeBy, formula } = definition
  // A reference that shows the top was a column before; it stays, unused.
  const level = placeBy?.shows === 'level' ? placeBy : undefined
  const isElsewhere = [copyOf, shows, lastChange, sumBelow, level, formula].some((one) => one !== undefined)
  const isStored = type.column(definition) !== undefined && !isElsewhere
  return isStored ? definition.name.toLowerCase() : undefined
}

function makeField(
  definition: FieldDefinition,
  object: ObjectDefinition,
  parts: readonly Field[],
  custom: CustomTargets,
  formulas: typeof NO_FORMULAS,
): Field {
  const type = definition.addressOf === undefined ? FIELD_TYPES[definition.type] : addressOfBytes
  const picklist = makePicklist(definition)
  const defaultValue = findDefault(definition, object, picklist)
  const compound = parts.length > 0
  const isCustom = object.name.endsWith('__c')
  const system = isSystemField(definition.name)
  // On a custom object, a new record without a name is named by its id. In a setting a name is a key, or nothing.
  const namedById =
    isCustom && object.setting === undefined && definition.nameField === true && !type.alwaysFilled
  return Object.freeze({
    definition,
    name: definition.name,
    label: definition.label,
    type,
    column: findColumn(definition, type),
    createable:
      definition.createable !== false &&
      !definition.computed &&
      !isComputedBySchema(definition) &&
      !type.counted &&
      !compound,
    updateable: isUpdateable(definition) && !type.counted && !compound,
    nillable: !(
      definition.required === true ||
      definition.masterDetail !== undefined ||
      type.alwaysFilled === true
    ),
    default: defaultValue,
    defaultedOnCreate:
      defaultValue !== undefined ||
      definition.defaultFormula !== undefined ||
      definition.orgDefault !== undefined ||
      (type.alwaysFilled === true && definition.formula === undefined) ||
      definition.name === 'OwnerId' ||
      namedById ||
      system,
    idLookup:
      definition.idLookup ??
      (definition.externalId === true ||
        definition.name === 'Id' ||
        (definition.nameField === true && type.operators.includes('equality'))),
    referenceTo: findTargets(definition, custom),
    picklist,
    parts,
    formula: definition.formula === undefined ? undefined : formulas.ofField(object.name, definition),
    rollUp: definition.rollUp === undefined ? undefined : formulas.ofRollUp(object.name, definition),
    defaultFormula:
      definition.defaultFormula === undefined ? undefined : formulas.ofDefault(object.name, definition),
    permissionable: isPermissionable(definition, object),
    system,
  })
}

function findTargets({ to = [], toCustom }: FieldDefinition, custom: CustomTargets): readonly string[] {
  return toCustom === undefined ? to : [...new Set([...to, ...custom[toCustom]])]
}

function isUpdateable(definition: FieldDefinition): boolean {
  if (definition.updateable === false || definition.computed === true || isComputedBySchema(definition))
    return false
  return definition.masterDetail === undefined || definition.reparentable === true
}

/**
 * The fields of an object, each compound one with its parts.
 * @param custom the custom objects of the schema
 * @param formulas compiles formulas; without a schema there are none
 */
export function makeFields(object: ObjectDefinition, custom = NO_TARGETS, formulas = NO_FORMULAS): Field[] {
  const definitions = expandFields(object)
  const made = new Map<string, Field>()
  for (const definition of definitions) {
    const parts = definitions
      .filter((other) => other.compound === definition.name)
      .map((other) => made.get(other.name) ?? makeField(other, object, [], custom, formulas))
    made.set(definition.name, makeField(definition, object, parts, custom, formulas))
  }
  return [...made.values()]
}

/** @param children found by the snapshot, because they come from the references of other objects */
export function makeObjectType(
  definition: ObjectDefinition,
  fields: readonly Field[],
  children: readonly ChildRelationship[],
  validations: readonly ObjectRule[],
  masterRollUps: readonly MasterRollUp[],
  unrestricted?: ObjectType,
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
    custom: isCustomObject(definition.name),
    table: definition.name.toLowerCase(),
    fields,
    nameField: fields.find((field) => field.definition.nameField === true),
    encryptedFields: fields.filter((field) => field.type.encrypted !== undefined),
    hasBytes: fields.some((field) => field.type.holdsBytes === true),
    field: (name: string) => byName.get(name.toLowerCase()),
    parent: (relationship: string) => byRelationship.get(relationship.toLowerCase()),
    children,
    validations,
    masterRollUps,
    child: (relationship: string) => byChildName.get(relationship.toLowerCase()),
    unrestricted,
  })
}
