import type { ApiVersion } from '../../base/api-version.ts'
import { describeField } from '../../schema/describe/describe-field.ts'
import { describeBriefly } from '../../schema/describe/describe-object.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { recordTypesOf } from '../../schema/record-types/record-types-of.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'

/** What is asked of an object's info beyond its name. */
export interface InfoOptions {
  readonly locale: string
  /** Only these fields, by name without case; all of them when absent. */
  readonly fieldNames?: readonly string[]
  /** Picklist values are told for these record types; an empty list: for all of them. Absent: they are not. */
  readonly recordTypeIds?: readonly string[]
}

/** Where an object and what it refers to are looked up, and for which version. */
export interface InfoLocation {
  readonly schema: SchemaSnapshot
  readonly version: ApiVersion
  /** To be called for each object that is told of. */
  readonly count: () => void
}

/** The words of the enum for the types that describes name. */
const DATA_TYPES: Readonly<Record<string, string>> = { id: 'REFERENCE' }

export const dataTypeOf = ({ type }: Field) => DATA_TYPES[type.describedAs] ?? type.describedAs.toUpperCase()

const nameFieldsOf = (object: ObjectType): readonly string[] => {
  const { nameField } = object
  if (nameField === undefined) return []
  const parts = nameField.parts.filter((part) => /^(First|Last)Name$/.test(part.name))
  return parts.length > 0 ? parts.map((part) => part.name).sort() : [nameField.name]
}

/** `BillingCity` is the City of BillingAddress. */
function componentName({ name, definition }: Field): string | null {
  const { compound } = definition
  if (compound === undefined) return null
  const prefix = compound.endsWith('__c') ? `${compound.slice(0, -3)}__` : compound.replace(/Address$/, '')
  return name.replace(/__s$/, '').replace(prefix, '')
}

/** Places of the controlling values for which a value is offered. */
const validFor = (values: readonly string[] | undefined, controller: Field | undefined): readonly number[] =>
  controller === undefined
    ? []
    : controllingValues(controller).flatMap((value, index) =>
        values === undefined || values.includes(value) ? [index] : [],
      )

const controllingValues = (field: Field): readonly string[] =>
  field.type.literal === 'boolean' ? ['false', 'true'] : field.picklist.map(({ value }) => value)

function picklistValues(object: ObjectType, field: Field, recordTypeIds: readonly string[]) {
  const { controller: name } = field.definition
  const controller = name === undefined ? undefined : object.field(name)
  const values = field.picklist
    .filter(({ inactive }) => !inactive)
    .map(({ value, label, validFor: values }) => ({ label, value, validFor: validFor(values, controller) }))
  const memberships = field.picklist.find((entry) => entry.default)
  const ids = recordTypesOf(object).flatMap(({ id }) => id ?? [])
  return ids
    .filter(
      (id) =>
        recordTypeIds.length === 0 ||
        recordTypeIds.some((requested) => id.startsWith(requested.slice(0, 15))),
    )
    .map((recordTypeID) => ({
      recordTypeID,
      picklistValues: values,
      defaultValue: values.find(({ value }) => value === memberships?.value) ?? null,
      controllerValues:
        controller === undefined
          ? []
          : controllingValues(controller).map((apiName, index) => ({ apiName, index })),
    }))
}

function fieldInfo(
  { schema }: InfoLocation,
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
    compoundComponentName: componentName(field),
    compoundFieldName: definition.compound ?? null,
    controllerName: definition.controller ?? null,
    controllingFields: definition.controller === undefined ? [] : [definition.controller],
    dataType: dataTypeOf(field),
    extraTypeInfo: described.extraTypeInfo?.toUpperCase() ?? null,
    reference: field.referenceTo.length > 0,
    referenceToInfos: field.referenceTo.flatMap((name) => {
      const target = schema.object(name)
      return target === undefined ? [] : [{ ApiName: name, nameFields: nameFieldsOf(target) }]
    }),
    required: !field.nillable && !field.defaultedOnCreate,
    picklistValuesByRecordTypeIDs: () =>
      recordTypeIds === undefined ? null : picklistValues(object, field, recordTypeIds),
  }
}

/** Fields that decide which values of others are offered, as a tree. */
function dependentFields(object: ObjectType) {
  const below = (name: string): object[] => {
    const dependents = object.fields.filter(({ definition }) => definition.controller === name)
    return dependents.map((field) => ({ controllingField: field.name, dependentFields: below(field.name) }))
  }
  const controllers = new Set(object.fields.flatMap(({ definition }) => definition.controller ?? []))
  return [...controllers]
    .filter((name) => object.field(name)?.definition.controller === undefined)
    .map((name) => ({ controllingField: name, dependentFields: below(name) }))
}

/** An object as GraphQL tells of it; what costs more is made when it is asked for. (docs/reference/api/graphql.md#descriptions) */
export function objectInfo(
  location: InfoLocation,
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
    nameFields: nameFieldsOf(object),
    fields: () =>
      object.fields
        .filter(({ name }) => requested === undefined || requested.includes(name.toLowerCase()))
        .map((field) => fieldInfo(location, object, field, options)),
    dependentFields: () => dependentFields(object),
    defaultRecordTypeId: recordTypesOf(object).find((type) => type.isDefault)!.id,
    recordTypeInfos: recordTypesOf(object).map((type) => ({
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
          return target === undefined ? null : objectInfo(location, target, { locale })
        },
      })),
  }
}
