import { makeRelationshipName } from '../../definitions/formats/definition-name.ts'
import { FIELD_FILES, type FieldFile } from '../../definitions/formats/field-file.ts'
import type { FieldType } from '../../schema/fields/field-type.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { DescribedField, DescribedObject } from './described-object.ts'
import type { DescribedOrg } from './described-org.ts'
import { readListed } from './read-listed.ts'

/** The field type of a described field; undefined when there is none. */
const findFieldType = (field: DescribedField): FieldType | undefined =>
  Object.values(FIELD_TYPES).find(
    ({ file, isDescribedBy, describedAs }) =>
      file !== undefined && (isDescribedBy?.(field) ?? describedAs === field.type),
  )

function readReference(object: DescribedObject, field: DescribedField, org: DescribedOrg): FieldFile {
  const { name, referenceTo, relationshipName, relationshipOrder } = field
  const to = referenceTo!
  const children = org.childrenOf(object.name, name)
  if (children === undefined && !to.some((target) => org.has(target))) {
    org.pad.collect(
      'unsaid',
      object.name,
      `name of the way down to it by ${name}: ${to.join(', ')} is not described`,
    )
  }
  const onDelete = field.restrictedDelete ? 'restrict' : field.cascadeDelete ? 'cascade' : undefined
  const isMaster = relationshipOrder !== null
  return {
    to,
    ...(relationshipName !== null &&
      relationshipName !== makeRelationshipName(name) && { relationship: relationshipName }),
    ...(children !== undefined && { children }),
    ...(isMaster
      ? { masterDetail: relationshipOrder === 1 ? 1 : 0, ...(field.updateable && { reparentable: true }) }
      : onDelete && { onDelete }),
  }
}

/** Write access, where it does not follow from the type. */
function readAccess(
  object: DescribedObject,
  field: DescribedField,
  type: FieldType,
  org: DescribedOrg,
): FieldFile {
  const follows = type.counted === true || type.makeParts !== undefined || field.calculated
  if (follows || field.relationshipOrder !== null || (field.createable && field.updateable)) return {}
  org.pad.add(
    'access',
    `${object.name}.${field.name}`,
    'not everything may be written, perhaps by who asked only',
  )
  return {
    ...(!field.createable && { createable: false }),
    ...(!field.updateable && { updateable: false }),
  }
}

/** The default value, unless a picklist value is marked as default. */
function readDefault(field: DescribedField): FieldFile {
  const { defaultValue, picklistValues } = field
  const isMarked = picklistValues!.some((entry) => entry.defaultValue && entry.value === defaultValue)
  return defaultValue === null || defaultValue === false || isMarked ? {} : { default: defaultValue }
}

function noteComputed(object: DescribedObject, field: DescribedField, { pad }: DescribedOrg): void {
  const location = `${object.name}.${field.name}`
  if (field.defaultValueFormula !== null) pad.add('default', location, field.defaultValueFormula)
  if (!field.calculated) return
  if (field.calculatedFormula === null) pad.add('rollUp', location, 'the describe does not say of what')
  else pad.add('formula', location, field.calculatedFormula.replaceAll(/\s+/g, ' '))
}

/** Keeps the properties that apply to the type. */
function onlyWhatFits(type: FieldType, field: FieldFile): FieldFile {
  const { shape } = FIELD_FILES.get(type.name)!
  return Object.fromEntries(Object.entries(field).filter(([name]) => Object.hasOwn(shape, name)))
}

/** Makes the file form of a custom field, or of the name field of a custom object. */
export function importDescribedField(
  object: DescribedObject,
  field: DescribedField,
  org: DescribedOrg,
): FieldFile {
  const found = findFieldType(field)
  if (found === undefined) {
    org.pad.add('type', `${object.name}.${field.name}`, `${field.type}: a text of 255 characters now`)
  }
  noteComputed(object, field, org)
  const type = found ?? FIELD_TYPES.string
  if (type.counted === true) {
    org.pad.add('autonumber', `${object.name}.${field.name}`, 'a describe does not say its format: {0}')
  }
  const controller = object.fields.find(({ name }) => name === field.controllerName)
  const required = !field.nillable && field.relationshipOrder === null
  return onlyWhatFits(type, {
    type: type.name,
    label: field.label,
    ...(field.inlineHelpText !== null && { help: field.inlineHelpText }),
    ...(field.length > 0 && { length: Math.min(field.length, type.file!.maxLength ?? field.length) }),
    ...(field.precision > 0 && { precision: field.precision, scale: field.scale }),
    ...(required && !field.calculated && { required: true }),
    ...(field.unique && { unique: true, ...(field.caseSensitive && { caseSensitive: true }) }),
    ...(field.externalId && { externalId: true }),
    ...(field.idLookup && !field.externalId && !field.nameField && { idLookup: true }),
    ...readDefault(field),
    ...readAccess(object, field, type, org),
    ...readListed(field, controller),
    ...(type.refers === true && readReference(object, field, org)),
  })
}
