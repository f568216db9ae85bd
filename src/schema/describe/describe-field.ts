import { asDecimal } from '../../base/decimal-json.ts'
import { type Field, getOperators, isGroupable, isSortable, type ListedValue } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { validForBits } from './valid-for.ts'

/** The field that decides which values of another one are offered, where there is one and it can be seen. */
export const findController = (
  object: ObjectType,
  { definition: { controller } }: Field,
): Field | undefined => (controller === undefined ? undefined : object.field(controller))

/** References by which no search is narrowed. */
const UNFILTERED: ReadonlySet<string> = new Set([
  'CreatedById',
  'LastModifiedById',
  'MasterRecordId',
  'OwnerId',
  'RecordTypeId',
])

function shownDefault({ default: value, type }: Field) {
  return type.decimal === true && typeof value === 'number' ? asDecimal(value) : value
}

/** An entry of `picklistValues`. */
export const describeValue = (entry: ListedValue, controller: Field | undefined) => ({
  active: !entry.inactive,
  defaultValue: entry.default,
  label: entry.label,
  validFor: controller === undefined ? null : validForBits(entry, controller),
  value: entry.value,
})

/**
 * The 57 keys of a field in a describe, always all present. (docs/reference/api/metadata.md#fields)
 * @param controller the field that decides which of its values are offered
 */
export function describeField(field: Field, controller?: Field) {
  const { definition, type } = field
  const facts = type.facts?.(definition) ?? {}
  const polymorphic = field.referenceTo.length > 1
  const custom = /__[cs]$/.test(field.name)
  const filterable = getOperators(field).length > 0 || type.compose !== undefined
  const unique = definition.unique === true
  // The id of any record; clients take the one field of the type for the key.
  const isOtherId = type.describedAs === 'id' && field.name !== 'Id'
  return {
    aggregatable: type.aggregatable,
    aiPredictionField: false,
    autoNumber: type.counted === true,
    byteLength: facts.byteLength ?? 0,
    calculated:
      definition.computed === true || definition.formula !== undefined || definition.rollUp !== undefined,
    calculatedFormula: definition.formula ?? null,
    // Of a standard field, only the relationship of the target says so.
    cascadeDelete: custom && (definition.masterDetail !== undefined || definition.onDelete === 'cascade'),
    caseSensitive: unique && definition.caseSensitive === true,
    compoundFieldName: definition.compound ?? null,
    controllerName: controller?.name ?? null,
    createable: field.createable,
    custom,
    // An id is nothing that a person would be shown as a default.
    defaultValue:
      type.literal === 'id' || field.formula !== undefined || field.rollUp !== undefined
        ? null
        : (shownDefault(field) ?? type.emptyValue ?? null),
    defaultValueFormula: definition.defaultFormula ?? null,
    defaultedOnCreate: field.defaultedOnCreate && field.rollUp === undefined,
    dependentPicklist: controller !== undefined,
    deprecatedAndHidden: false,
    digits: facts.digits ?? 0,
    displayLocationInDecimal: false,
    encrypted: facts.encrypted ?? false,
    externalId: definition.externalId === true,
    extraTypeInfo: definition.extraTypeInfo ?? facts.extraTypeInfo ?? null,
    filterable,
    filteredLookupInfo: null,
    formulaTreatNullNumberAsZero: definition.formula !== undefined && definition.blanks !== 'blank',
    groupable: isGroupable(field),
    highScaleNumber: false,
    htmlFormatted: field.formula?.compiled?.isHtml ?? facts.htmlFormatted ?? false,
    idLookup: field.idLookup,
    inlineHelpText: definition.help ?? null,
    label: field.label,
    length: facts.length ?? 0,
    mask: facts.mask ?? null,
    maskType: facts.maskType ?? null,
    name: field.name,
    nameField: definition.nameField === true,
    namePointing: polymorphic,
    // Made of a part that is required.
    nillable: field.nillable && type.generated !== true,
    permissionable: field.permissionable,
    picklistValues: field.picklist.map((entry) => describeValue(entry, controller)),
    polymorphicForeignKey: polymorphic,
    precision: facts.precision ?? 0,
    queryByDistance: facts.queryByDistance ?? false,
    referenceTargetField: null,
    // A field without ids is no reference to clients, though queries follow it.
    referenceTo: definition.toBy === undefined ? field.referenceTo : [],
    relationshipName: definition.relationship ?? definition.describedRelationship ?? null,
    relationshipOrder: definition.masterDetail ?? null,
    restrictedDelete: custom && definition.onDelete === 'restrict',
    restrictedPicklist: definition.restricted === true,
    scale: facts.scale ?? 0,
    searchPrefilterable: (facts.searchPrefilterable ?? false) && !UNFILTERED.has(field.name),
    soapType: isOtherId ? 'xsd:string' : type.soapType,
    sortable: isSortable(field),
    type: isOtherId ? 'string' : type.describedAs,
    unique,
    updateable: field.updateable,
    writeRequiresMasterRead: definition.masterDetail !== undefined,
  }
}

/** A field of an object as it is in a schema: what it points to is told only as far as it is there for the reader. */
export function describeFieldOf(schema: SchemaSnapshot, object: ObjectType, field: Field) {
  const described = describeField(field, findController(object, field))
  return { ...described, referenceTo: described.referenceTo.filter((name) => schema.object(name)) }
}
