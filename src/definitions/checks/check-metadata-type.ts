import { getOrInsert } from '../../base/get-or-insert.ts'
import { didYouMean } from '../../base/nearest.ts'
import { shown } from '../../base/schema-problems.ts'
import { isMetadataType, splitNamespace } from '../../schema/definitions/custom-name.ts'
import type { MetadataRecord, ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { findValueProblem } from '../../schema/fields/field-type.ts'
import { FIELD_TYPES, type FieldTypeName } from '../../schema/fields/registry.ts'
import { maxRecordName } from '../../schema/objects/metadata-type-fields.ts'
import { FILE_FIELD_TYPES } from '../formats/field-file.ts'
import type { ObjectFile } from '../formats/object-file.ts'
import { findNameProblem } from './check-name.ts'
import type { Checking } from './checking.ts'
import type { Problem } from './problem.ts'

type Path = Problem['path']
type Fields = ReadonlyMap<string, Field>

/** True if fields of metadata types may have the type: each value is written in a definition file as one value. */
const isWritten = (type: FieldTypeName): boolean => {
  const { counted, compose, holdsBytes, encrypted, separator, writeText } = FIELD_TYPES[type]
  return (
    !counted &&
    !holdsBytes &&
    writeText === undefined &&
    compose === undefined &&
    encrypted === undefined &&
    separator === undefined
  )
}

/** Properties that follow from the name of a metadata type, or that make no sense for one. */
const NOT_FOR_TYPES = [
  'setting',
  'sharing',
  'ownerless',
  'queueable',
  'searchable',
  'activities',
  'trackHistory',
  'changeEvents',
  'channels',
  'recordTypes',
  'listViews',
  'createable',
  'updateable',
  'deletable',
] as const satisfies readonly (keyof ObjectFile)[]

/** Properties of fields that need somebody who writes records one by one. */
const NOT_FOR_FIELDS = [
  'computed',
  'createable',
  'updateable',
  'masterDetail',
  'onDelete',
  'controller',
] as const

/** Finds what only metadata types have, or what they cannot have, in the rest of an object file. */
export function checkMetadataType({ object, file }: Checking): Problem[] {
  const at = ['objects', object.name]
  if (!isMetadataType(object.name)) {
    if (file.records === undefined) return []
    const message = `records are for metadata types, whose names end in __mdt; take them out`
    return [{ path: [...at, 'records'], message }]
  }
  return NOT_FOR_TYPES.filter((property) => file[property] !== undefined).map((property) => ({
    path: [...at, property],
    message: `a metadata type has no ${property}; take it out`,
  }))
}

function checkTargets(field: FieldDefinition, objects: Checking['objects'], path: Path): Problem[] {
  const others = (field.to ?? []).filter((name) => objects.has(name.toLowerCase()) && !isMetadataType(name))
  if (others.length === 0) return []
  return [
    {
      path: [...path, 'to'],
      message: `a metadata type refers to metadata types, not to ${others.join(', ')}`,
    },
  ]
}

/** Finds what a field of a metadata type cannot be. */
export function checkMetadataField(checking: Checking, name: string, path: Path): Problem[] {
  const { object, file, fields, objects } = checking
  if (!isMetadataType(object.name)) return []
  const field = fields.get(name.toLowerCase())!
  if (!isWritten(field.type)) {
    const message = `a metadata type has no ${field.type}; there are ${FILE_FIELD_TYPES.filter(isWritten).join(', ')}`
    return [{ path: [...path, 'type'], message }]
  }
  const written = file.fields![name]!
  const unused = NOT_FOR_FIELDS.filter((property) => written[property] !== undefined).map((property) => ({
    path: [...path, property],
    message: `means nothing in a metadata type: a deployment writes its records; take it out`,
  }))
  return [...unused, ...checkTargets(field, objects, path)]
}

function checkRecordName(record: MetadataRecord, max: number, path: Path): Problem[] {
  const isName = /^[A-Za-z][A-Za-z0-9_]*$/.test(record.name)
  const problem = isName
    ? findNameProblem(splitNamespace(record.name), max)
    : `"${record.name}" is no name: letters, digits and _`
  if (problem !== undefined) return [{ path, message: problem }]
  if (record.label.trim() === '' || [...record.label].length > max) {
    return [{ path: [...path, 'label'], message: `a label has 1 to ${max} characters` }]
  }
  return []
}

/** A field of a metadata type, with what its values are checked by. */
interface OwnField {
  readonly field: Field
  /** The records that a reference may name. */
  readonly targets: ReadonlySet<string> | undefined
}

/** The fields of a metadata type by their names as they are spelled. */
function listOwnFields({ object, objects }: Checking, made: Fields): ReadonlyMap<string, OwnField> {
  const getRecords = (name: string) => objects.get(name.toLowerCase())?.records ?? []
  return new Map(
    object.fields.map(({ name }) => {
      const field = made.get(name.toLowerCase())!
      const targets = field.referenceTo.flatMap(getRecords).map((record) => record.name)
      return [name, { field, targets: field.type.refers === true ? new Set(targets) : undefined }]
    }),
  )
}

function findProblem({ field, targets }: OwnField, value: unknown): string | undefined {
  if (field.type.parameter === 'text' && typeof value !== 'string') {
    return `must be a text, not ${shown(value)}: write it in quotes`
  }
  if (targets === undefined) return findValueProblem(field, value)
  if (targets.has(String(value))) return undefined
  return `there is no record ${shown(value)} of ${field.referenceTo.join(', ')}${didYouMean(String(value), targets)}`
}

const isEmpty = (value: unknown) => value === undefined || value === null || String(value).trim() === ''

/** Finds problems in the values of a record. */
function* checkValues(
  object: ObjectDefinition,
  own: ReadonlyMap<string, OwnField>,
  record: MetadataRecord,
  at: Path,
): Generator<Problem[]> {
  for (const [name, value] of Object.entries(record.values)) {
    const path = [...at, 'values', name]
    const field = own.get(name)
    const message =
      field === undefined
        ? `${object.name} has no field ${name}${didYouMean(name, own.keys())}`
        : value === null
          ? undefined
          : findProblem(field, value)
    yield message === undefined ? [] : [{ path, message }]
  }
  for (const [name, { field }] of own) {
    if (field.nillable || field.type.alwaysFilled === true) continue
    const value = record.values[name] === undefined ? field.default : record.values[name]
    yield isEmpty(value) ? [{ path: at, message: `has no value for ${name}, which is required` }] : []
  }
}

/** Finds values that two records have and only one may have. */
function* checkUnique(
  own: ReadonlyMap<string, OwnField>,
  records: readonly MetadataRecord[],
  at: Path,
): Generator<Problem[]> {
  for (const [fieldName, { field }] of own) {
    const { unique, caseSensitive } = field.definition
    if (unique !== true) continue
    const seen = new Map<string, string>()
    for (const { name, values } of records) {
      const value = values[fieldName] === undefined ? field.default : values[fieldName]
      if (isEmpty(value)) continue
      const stored = String(field.type.coerce(value, field))
      const twin = getOrInsert(seen, caseSensitive === true ? stored : stored.toUpperCase(), () => name)
      yield twin === name
        ? []
        : [
            {
              path: [...at, name, 'values', fieldName],
              message: `${twin} has the same value, which is unique`,
            },
          ]
    }
  }
}

/** Finds problems in the records of a metadata type, a value at a time. */
export function* checkRecords(checking: Checking, made: Fields): Generator<Problem[]> {
  const { object } = checking
  const { records = [] } = object
  if (!isMetadataType(object.name) || records.length === 0) return
  const own = listOwnFields(checking, made)
  const at = ['objects', object.name, 'records']
  const names = new Map<string, string>()
  let isValid = true
  const look = function* (findings: Iterable<Problem[]>) {
    for (const found of findings) {
      if (found.length > 0) isValid = false
      yield found
    }
  }
  for (const record of records) {
    const path = [...at, record.name]
    const twin = getOrInsert(names, record.name.toLowerCase(), () => record.name)
    yield twin === record.name
      ? checkRecordName(record, maxRecordName(object.name), path)
      : [{ path, message: `${twin} is the same record: case makes no difference` }]
    yield* look(checkValues(object, own, record, path))
  }
  // Only valid values can be compared.
  if (isValid) yield* checkUnique(own, records, at)
}
