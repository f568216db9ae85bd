import { MAX_RESULT_LENGTH } from '../../formulas/language/formula-type.ts'
import { isEventObject, isMetadataType } from '../../schema/definitions/custom-name.ts'
import {
  type ListView,
  type MetadataRecord,
  NO_ROWS,
  type ObjectDefinition,
  type RecordType,
  type ValidationRule,
} from '../../schema/definitions/definition.ts'
import { saysStatus, withStatusOf } from '../../schema/definitions/status-properties.ts'
import type { FieldDefinition, PicklistValue } from '../../schema/fields/field-definition.ts'
import { FIELD_TYPES, type FieldTypeName } from '../../schema/fields/registry.ts'
import { makeLabel, makePlural, makeRelationshipName } from '../formats/definition-name.ts'
import type { FieldFile } from '../formats/field-file.ts'
import type {
  ListViewFile,
  ObjectFile,
  RecordFile,
  RecordTypeFile,
  ValidationFile,
  ValueSetFile,
} from '../formats/object-file.ts'

type FileValue = NonNullable<FieldFile['values']>[number] | PicklistValue
type ValueSets = Readonly<Record<string, ValueSetFile>>

/** Removes undefined properties, because definitions are compared as JSON. */
function removeUndefined<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T
}

/** A value without other properties is written as its text. */
function readValue(entry: FileValue): string | PicklistValue {
  if (typeof entry === 'string') return entry
  const { value, label, ...rest } = entry
  const full = removeUndefined<PicklistValue>({ value, label: label === value ? undefined : label, ...rest })
  const extras = [full.label, full.default || undefined, full.inactive || undefined, full.validFor]
  return extras.every((member) => member === undefined) && !saysStatus(full) ? value : full
}

/** The values of a field. Properties that the field sets for a value override those of the value set. */
function readValues({ values, valueSet }: FieldFile, sets: ValueSets): FieldDefinition['values'] {
  const own = values?.map(readValue)
  if (valueSet === undefined || !Object.hasOwn(sets, valueSet)) return own
  const overrides = new Map(
    (own ?? []).map((entry) => (typeof entry === 'string' ? [entry, {}] : [entry.value, entry])),
  )
  return sets[valueSet]!.values.map(readValue).map((entry) => {
    const value = typeof entry === 'string' ? { value: entry } : entry
    return readValue({ ...value, ...overrides.get(value.value) })
  })
}

/** The texts of the value set of a field; undefined where it has none. */
function readSetTexts({ valueSet }: FieldFile, sets: ValueSets): FieldDefinition['valueSetTexts'] {
  if (valueSet === undefined || !Object.hasOwn(sets, valueSet)) return undefined
  const { label, description } = sets[valueSet]!
  const texts = removeUndefined({ label, description })
  return Object.keys(texts).length === 0 ? undefined : texts
}

/** Properties that are the same in files and definitions. */
function getCommonProperties(field: FieldFile) {
  const { type: _type, label: _label, values: _values, to: _to, ...rest } = field
  return rest
}

const getDefaults = (type: FieldTypeName) => FIELD_TYPES[type].file?.defaults ?? {}

/** Default properties of the name field of a custom object. */
export const getNameDefaults = (type: FieldTypeName) => FIELD_TYPES[type].file?.nameDefaults

/** The length of a formula's texts, whatever the field would have without it. */
const findFormulaLength = (type: FieldTypeName) =>
  getDefaults(type).length === undefined ? undefined : MAX_RESULT_LENGTH

/** Makes a custom field. */
export function readField(name: string, field: FieldFile, sets: ValueSets): FieldDefinition {
  const type = field.type!
  const { to } = field
  return removeUndefined({
    name,
    label: field.label ?? makeLabel(name),
    type,
    ...getDefaults(type),
    relationship: to === undefined ? undefined : makeRelationshipName(name),
    ...getCommonProperties(field),
    length:
      field.formula === undefined ? (field.length ?? getDefaults(type).length) : findFormulaLength(type),
    to: typeof to === 'string' ? [to] : to,
    values: readValues(field, sets),
    valueSetTexts: readSetTexts(field, sets),
  })
}

/** Applies the changes of a file to a standard field. */
function changeField(known: FieldDefinition, field: FieldFile, sets: ValueSets): FieldDefinition {
  const values = readValues(field, sets)
  return removeUndefined<FieldDefinition>({
    ...known,
    ...getCommonProperties(field),
    label: field.label ?? known.label,
    values: withStatusOf(values, known.values) ?? known.values,
    valueSetTexts: readSetTexts(field, sets),
  })
}

function readRecordType(name: string, file: RecordTypeFile | null): RecordType {
  return removeUndefined({ name, ...file, label: file?.label ?? makeLabel(name) })
}

function readListView(name: string, file: ListViewFile | null): ListView {
  return removeUndefined({ name, ...file, label: file?.label ?? makeLabel(name) })
}

const readValidation = (name: string, file: ValidationFile): ValidationRule =>
  removeUndefined<ValidationRule>({ name, ...file })

const readRecord = (name: string, file: RecordFile | null): MetadataRecord => ({
  name,
  label: file?.label ?? makeLabel(name),
  values: { ...file?.values },
})

function readRecords(files: ObjectFile['records'] = {}): readonly MetadataRecord[] | undefined {
  const records = Object.entries(files).map(([name, file]) => readRecord(name, file))
  return records.length === 0 ? undefined : records
}

const NAME: FieldDefinition = {
  name: 'Name',
  label: 'Name',
  type: 'string',
  ...getNameDefaults('string'),
  nameField: true,
}

/** The records of a list are found by their names. */
const LIST_NAME = { required: true, unique: true }

/** The fields of a custom object. Its name field always exists and comes first. */
function customFields(
  label: string,
  fields: readonly FieldDefinition[],
  setting: ObjectFile['setting'],
): FieldDefinition[] {
  const written = fields.find((field) => field.name === 'Name')
  const name = written ?? { ...NAME, label: `${label} Name` }
  return [
    { ...name, nameField: true, ...(setting === 'list' && LIST_NAME) },
    ...fields.filter((field) => field !== written),
  ]
}

/** Derives properties of a custom object from others. */
function impliedProperties(
  name: string,
  { setting }: ObjectFile,
  fields: readonly FieldDefinition[],
): Partial<ObjectDefinition> {
  if (isMetadataType(name)) {
    return { ownerless: true, searchable: false, createable: false, updateable: false, deletable: false }
  }
  if (isEventObject(name))
    return { ownerless: true, searchable: false, updateable: false, deletable: false, view: NO_ROWS }
  if (setting !== undefined) return { ownerless: true, searchable: false }
  const isDetail = fields.some((field) => field.masterDetail !== undefined)
  return isDetail ? { ownerless: true, sharing: 'controlledByParent' } : {}
}

const properties = ({
  fields: _f,
  recordTypes,
  listViews,
  validations,
  records,
  label: _l,
  labelPlural: _p,
  ...rest
}: ObjectFile) => ({
  ...rest,
  recordTypes: recordTypes && Object.entries(recordTypes).map(([name, file]) => readRecordType(name, file)),
  listViews: listViews && Object.entries(listViews).map(([name, file]) => readListView(name, file)),
  validations: validations && Object.entries(validations).map(([name, file]) => readValidation(name, file)),
  records: readRecords(records),
})

/** Makes a custom object from its file. */
export function readCustomObject(name: string, given: ObjectFile | null, sets: ValueSets): ObjectDefinition {
  const file = given ?? {}
  const label = file.label ?? makeLabel(name)
  const fields = Object.entries(file.fields ?? {}).map(([field, value]) =>
    readField(field, field === 'Name' ? { ...getNameDefaults(value!.type!), ...value } : value!, sets),
  )
  return removeUndefined({
    name,
    label,
    labelPlural: file.labelPlural ?? makePlural(label),
    keyPrefix: '',
    ...impliedProperties(name, file, fields),
    ...properties(file),
    fields: isMetadataType(name) || isEventObject(name) ? fields : customFields(label, fields, file.setting),
  })
}

/** Applies the changes and custom fields of a file to a standard object. */
export function readStandardObject(
  standard: ObjectDefinition,
  file: ObjectFile | null,
  sets: ValueSets,
): ObjectDefinition {
  const written = new Map(
    Object.entries(file?.fields ?? {}).map(([name, field]) => [name.toLowerCase(), field ?? {}]),
  )
  const changed = standard.fields.map((field) => {
    const change = written.get(field.name.toLowerCase())
    return change === undefined ? field : changeField(field, change, sets)
  })
  const isKnown = (name: string) =>
    standard.fields.some((field) => field.name.toLowerCase() === name.toLowerCase())
  const added = Object.entries(file?.fields ?? {})
    .filter(([name]) => !isKnown(name))
    .map(([name, field]) => readField(name, field!, sets))
  return removeUndefined({
    ...standard,
    ...properties(file ?? {}),
    label: file?.label ?? standard.label,
    labelPlural: file?.labelPlural ?? standard.labelPlural,
    fields: [...changed, ...added],
  })
}
