import { isDeepStrictEqual } from 'node:util'
import type {
  ListView,
  MetadataRecord,
  ObjectDefinition,
  RecordType,
} from '../../schema/definitions/definition.ts'
import type { FieldDefinition, PicklistValue } from '../../schema/fields/field-definition.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import type { FieldFile } from '../formats/field-file.ts'
import type {
  ListViewFile,
  ObjectFile,
  RecordFile,
  RecordTypeFile,
  ValueSetFile,
} from '../formats/object-file.ts'
import { getNameDefaults, readCustomObject, readField } from './read-object.ts'

type Values = NonNullable<FieldDefinition['values']>
type FoundSet = FieldDefinition['valueSetTexts'] & { readonly values: Values }
/** Global value sets, collected from the fields that use them. */
export type FoundSets = Map<string, FoundSet>

/** Properties that differ from the defaults. */
function getDifferences<T extends object>(value: T, usual: Partial<T>): Partial<T> {
  const differs = ([name, member]: [string, unknown]) => !isDeepStrictEqual(member, usual[name as keyof T])
  return Object.fromEntries(Object.entries(value).filter(differs)) as Partial<T>
}

/** A value without the controlling values that its field adds. */
function plainValue(entry: string | PicklistValue): string | PicklistValue {
  if (typeof entry === 'string' || entry.validFor === undefined) return entry
  const { validFor: _, ...rest } = entry
  return Object.keys(rest).length === 1 ? rest.value : rest
}

/** The file of a value set has its values. The field keeps the controlling values. */
function writeValues(
  { values, valueSet, valueSetTexts }: FieldDefinition,
  sets: FoundSets,
): FieldFile['values'] {
  if (valueSet === undefined || values === undefined) return values as FieldFile['values']
  if (!sets.has(valueSet)) sets.set(valueSet, { values: values.map(plainValue), ...valueSetTexts })
  const dependent = values.filter((entry) => typeof entry !== 'string' && entry.validFor !== undefined)
  return dependent.length === 0 ? undefined : (dependent as FieldFile['values'])
}

/** Makes the file form of a field, without default properties. */
function writeField(definition: FieldDefinition, usual: FieldDefinition, sets: FoundSets): FieldFile {
  const {
    name: _name,
    nameField: _nameField,
    compound: _compound,
    values: _values,
    valueSetTexts: _texts,
    to,
    ...rest
  } = definition
  const { values: _usual, to: _to, ...usualRest } = usual
  const values = writeValues(definition, sets)
  return {
    type: definition.type,
    ...(getDifferences(rest, usualRest as Partial<typeof rest>) as FieldFile),
    ...(to && { to: to.length === 1 ? to[0] : to }),
    ...(values && { values }),
  }
}

function usualField({ name, type, to, formula }: FieldDefinition): FieldDefinition {
  const made = readField(name, { type, to, formula }, {})
  const { formula: _formula, ...field } = made
  return name === 'Name' ? { ...field, ...getNameDefaults(type) } : field
}

/** Named parts of an object by name, without default properties. */
function writeParts<File>(
  kind: 'recordTypes' | 'listViews' | 'records',
  parts: readonly (RecordType | ListView | MetadataRecord)[],
): Record<string, File | null> {
  return Object.fromEntries(
    parts.map(({ name, id: _id, ...rest }) => {
      const [usual] = readCustomObject('X__c', { [kind]: { [name]: null } }, {})[kind]!
      const says = getDifferences<object>(rest, usual!) as File & object
      return [name, Object.keys(says).length === 0 ? null : says]
    }),
  )
}

const properties = (object: ObjectDefinition, usual: ObjectDefinition): ObjectFile => {
  const {
    name: _n,
    keyPrefix: _k,
    fields: _f,
    recordTypes = [],
    listViews = [],
    validations = [],
    records = [],
    ...rest
  } = object
  return {
    ...(getDifferences(rest, usual) as ObjectFile),
    ...(recordTypes.length > 0 && { recordTypes: writeParts<RecordTypeFile>('recordTypes', recordTypes) }),
    ...(listViews.length > 0 && { listViews: writeParts<ListViewFile>('listViews', listViews) }),
    ...(validations.length > 0 && {
      validations: Object.fromEntries(validations.map(({ name, ...rule }) => [name, rule])),
    }),
    ...(records.length > 0 && { records: writeParts<RecordFile>('records', records) }),
  }
}

function writeCustomObject(object: ObjectDefinition, sets: FoundSets): ObjectFile {
  const isDetail = object.fields.some((field) => field.masterDetail !== undefined)
  const { setting } = object
  const bare = readCustomObject(object.name, { label: object.label, setting }, {})
  const usual = { ...bare, ...(isDetail && { ownerless: true, sharing: 'controlledByParent' as const }) }
  const label = readCustomObject(object.name, null, {}).label
  const fields = object.fields.flatMap((field) => {
    if (isDeepStrictEqual(field, bare.fields[0])) return []
    return [[field.name, writeField(field, usualField(field), sets)] as const]
  })
  const { records, ...rest } = properties(object, usual)
  return {
    ...(object.label !== label && { label: object.label }),
    ...(setting && { setting }),
    ...(object.keyPrefix !== '' && { keyPrefix: object.keyPrefix }),
    ...rest,
    fields: Object.fromEntries(fields),
    ...(records && { records }),
  }
}

/** The changes of an org to a standard object; undefined when there are none. */
function writeStandardObject(
  object: ObjectDefinition,
  standard: ObjectDefinition,
  sets: FoundSets,
): ObjectFile | undefined {
  const fields = object.fields.flatMap((field) => {
    const usual = standard.fields.find(({ name }) => name === field.name)
    if (usual === undefined) return [[field.name, writeField(field, usualField(field), sets)] as const]
    if (isDeepStrictEqual(field, usual)) return []
    const { type: _type, to: _to, ...rest } = writeField(field, usual, sets)
    const { values, ...changed } = rest
    return [
      [field.name, isDeepStrictEqual(field.values, usual.values) ? changed : { ...changed, values }] as const,
    ]
  })
  const file: ObjectFile = {
    ...properties(object, standard),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  }
  return Object.keys(file).length === 0 ? undefined : file
}

/**
 * Makes the file of an object, the inverse of reading it. Adds the global value sets that its fields use to `sets`.
 * @returns undefined for an unchanged standard object
 */
export function writeObject(object: ObjectDefinition, sets: FoundSets): ObjectFile | undefined {
  const standard = findStandardObject(object.name)
  return standard === undefined
    ? writeCustomObject(object, sets)
    : writeStandardObject(object, standard, sets)
}

export const writeValueSet = ({ values, ...texts }: FoundSet): ValueSetFile => ({
  ...texts,
  values: [...values] as ValueSetFile['values'],
})
