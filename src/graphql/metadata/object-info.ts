import type { ApiVersion } from '../../base/api-version.ts'
import { describeField } from '../../schema/describe/describe-field.ts'
import { describeBriefly } from '../../schema/describe/describe-object.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { getRecordTypes } from '../../schema/record-types/get-record-types.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'

/** Options of an object's info. */
export interface InfoOptions {
  readonly locale: string
  /** Only these fields, by case-insensitive name; all fields when absent. */
  readonly fieldNames?: readonly string[] | undefined
  /** Record types to include picklist values for; all of them if empty. Absent: no picklist values. */
  readonly recordTypeIds?: readonly string[] | undefined
}

/** The schema and version that objects are described with. */
interface InfoContext {
  readonly schema: SchemaSnapshot
  readonly version: ApiVersion
  /** Called for each described object. */
  readonly count: () => void
}

/** Enum values that differ from the describe's type names. */
const DATA_TYPES: Readonly<Record<string, string>> = { id: 'REFERENCE' }

export const getDataType = ({ type }: Field) => DATA_TYPES[type.describedAs] ?? type.describedAs.toUpperCase()

const getNameFields = (object: ObjectType): readonly string[] => {
  const { nameField } = object
  if (nameField === undefined) return []
  const parts = nameField.parts.filter((part) => /^(First|Last)Name$/.test(part.name))
  return parts.length > 0 ? parts.map((part) => part.name).sort() : [nameField.name]
}

/** `BillingCity` is the City of BillingAddress. */
function getComponentName({ name, definition }: Field): string | null {
  const { compound } = definition
  if (compound === undefined) return null
  const prefix = compound.endsWith('__c') ? `${compound.slice(0, -3)}__` : compound.replace(/Address$/, '')
  return name.replace(/__s$/, '').replace(prefix, '')
}

/** Indexes of the controlling values that allow a value. */
const findControllingIndexes = (
  values: readonly string[] | undefined,
  controller: Field | undefined,
): readonly number[] =>
  controller === undefined
    ? []
    : getControllingValues(controller).flatMap((value, index) =>
        values === undefined || values.includes(value) ? [index] : [],
      )

const getControllingValues = (field: Field): readonly string[] =>
  field.type.literal === 'boolean' ? ['false', 'true'] : field.picklist.map(({ value }) => value)

function makePicklistValues(object: ObjectType, field: Field, recordTypeIds: readonly string[]) {
  const { controller: name } = field.definition
  const controller = name === undefined ? undefined : object.field(name)
  const values = field.picklist
    .filter(({ inactive }) => !inactive)
    .map(({ value, label, validFor: values }) => ({
      label,
      value,
      validFor: findControllingIndexes(values, controller),
    }))
  const defaultEntry = field.picklist.find((entry) => entry.default)
  const ids = getRecordTypes(object).flatMap(({ id }) => id ?? [])
  return ids
    .filter(
      (id) =>
        recordTypeIds.length === 0 ||
        recordTypeIds.some((requested) => id.startsWith(requested.slice(0, 15))),
    )
    .map((recordTypeID) => ({
      recordTypeID,
      picklistValues: values,
      defaultValue: values.find(({ value }) => value === defaultEntry?.value) ?? null,
      controllerValues:
        controller === undefined
          ? []
          : getControllingValues(controller).map((apiName, index) => ({ apiName, index })),
    }))
}

function makeFieldInfo(
  { schema }: InfoContext,
  object: ObjectType,
  field: Field,
  { recordTypeIds }: InfoOptions,
) {
  const described = describeField(field)
  const { definition, type } = field
  const listed = field.picklist.length > 0
  return {
    ...described,
    __typename: listed ? 'PicklistField' : 'PlainField',
    ApiName: field.name,
    compound: type.compose !== undefined || field.parts.length > 0,
    compoundComponentName: getComponentName(field),
    compoundFieldName: definition.compound ?? null,
    controllerName: definition.controller ?? null,
    controllingFields: definition.controller === undefined ? [] : [definition.controller],
    dataType: getDataType(field),
    extraTypeInfo: described.extraTypeInfo?.toUpperCase() ?? null,
    reference: field.referenceTo.length > 0,
    referenceToInfos: field.referenceTo.flatMap((name) => {
      const target = schema.object(name)
      return target === undefined ? [] : [{ ApiName: name, nameFields: getNameFields(target) }]
    }),
    required: !field.nillable && !field.defaultedOnCreate,
    picklistValuesByRecordTypeIDs: () =>
      recordTypeIds === undefined ? null : makePicklistValues(object, field, recordTypeIds),
  }
}

/** Controlling fields and the picklists that depend on them, as a tree. */
function makeDependentFields(object: ObjectType) {
  const below = (name: string): object[] => {
    const dependents = object.fields.filter(({ definition }) => definition.controller === name)
    return dependents.map((field) => ({ controllingField: field.name, dependentFields: below(field.name) }))
  }
  const controllers = new Set(object.fields.flatMap(({ definition }) => definition.controller ?? []))
  return [...controllers]
    .filter((name) => object.field(name)?.definition.controller === undefined)
    .map((name) => ({ controllingField: name, dependentFields: below(name) }))
}

/** Describes an object; costly members are functions, called if selected. (docs/reference/api/graphql.md#descriptions) */
export function makeObjectInfo(
  location: InfoContext,
  object: ObjectType,
  options: InfoOptions,
): Record<string, unknown> {
  location.count()
  const { locale, fieldNames } = options
  const requested = fieldNames?.map((name) => name.toLowerCase())
  return {
    ...describeBriefly(object, location.version),
    ApiName: object.name,
    locale,
    themeInfo: null,
    nameFields: getNameFields(object),
    fields: () =>
      object.fields
        .filter(({ name }) => requested === undefined || requested.includes(name.toLowerCase()))
        .map((field) => makeFieldInfo(location, object, field, options)),
    dependentFields: () => makeDependentFields(object),
    defaultRecordTypeId: getRecordTypes(object).find((type) => type.isDefault)!.id,
    recordTypeInfos: getRecordTypes(object).map((type) => ({
      available: type.inactive !== true,
      defaultRecordTypeMapping: type.isDefault,
      master: type.master,
      name: type.label,
      recordTypeId: type.id,
    })),
    childRelationships: () =>
      object.children.map((child) => ({
        childObjectApiName: child.childObject,
        fieldName: child.field.name,
        junctionIdListNames: [],
        junctionReferenceTo: [],
        relationshipName: child.name ?? null,
        objectInfo: () => {
          const target = location.schema.object(child.childObject)
          return target === undefined ? null : makeObjectInfo(location, target, { locale })
        },
      })),
  }
}
