import { isObject } from '../../base/json.ts'
import { didYouMean } from '../../base/nearest.ts'
import { findSchemaProblems, type Shape, shown } from '../../base/schema-problems.ts'
import { isCustomObject, isEventObject, isMetadataType } from '../../schema/definitions/custom-name.ts'
import { MAX_CUSTOM_OBJECTS } from '../../schema/snapshot/identities.ts'
import { FIELD_FILES, FILE_FIELD_TYPES, isFileFieldType, STANDARD_FIELD } from '../formats/field-file.ts'
import { type DefinitionFiles, OBJECT_FILE, RECORD_FILE, VALUE_SET_FILE } from '../formats/object-file.ts'
import { SETTINGS_FILES, type SettingsName } from '../formats/settings-file.ts'
import { checkPart, checkText } from './check-part.ts'
import { checkPermissionShape } from './check-permission-shape.ts'
import { MAX_COLUMNS, MAX_RECORDS } from './checking.ts'
import { gatherProblems, type Problem } from './problem.ts'

const SETTINGS_NAMES = Object.keys(SETTINGS_FILES) as SettingsName[]

/** Finds settings of the org that there are none of, unknown properties and values of a wrong type. */
function* checkSettingsFiles({ settings = {} }: DefinitionFiles): Generator<Problem[]> {
  for (const [name, input] of Object.entries<unknown>(settings)) {
    const at = ['settings', name]
    const known = SETTINGS_NAMES.find((one) => one === name)
    if (known === undefined) {
      const meant = didYouMean(name, SETTINGS_NAMES) || `; there are those of ${SETTINGS_NAMES.join(', ')}`
      yield [{ path: at, message: `${shown(name)} is no name of settings${meant}` }]
      continue
    }
    const shape = SETTINGS_FILES[known] as unknown as Shape
    yield checkPart(input, at, () => findSchemaProblems(shape, input ?? {}, at, 'these settings'))
  }
}

/** Maximum number of picklist values in the fields of an object, and of all objects. */
const MAX_LISTED_IN_OBJECT = 50_000
const MAX_LISTED = 1_000_000

/** Maximum number of characters in the records of a metadata type. */
const MAX_RECORD_CHARACTERS = 2_000_000

/** Also rejects `__proto__`, which would not become a property. */
const isName = (name: string) => /^[A-Za-z][A-Za-z0-9_]*$/.test(name)

function checkField(input: unknown, at: Problem['path'], isStandard: boolean): Problem[] {
  const type = (input as { type?: unknown } | null)?.type
  if (type === undefined && isStandard)
    return findSchemaProblems(STANDARD_FIELD, input ?? {}, at, 'a standard field')
  if (type === undefined) {
    return [
      { path: at, message: `has no type; write one: type: string. There are ${FILE_FIELD_TYPES.join(', ')}` },
    ]
  }
  if (!isFileFieldType(type)) {
    const meant = (typeof type === 'string' && didYouMean(type, FILE_FIELD_TYPES)) || '.'
    const message = `${shown(type)} is no type of field${meant} There are ${FILE_FIELD_TYPES.join(', ')}`
    return [{ path: [...at, 'type'], message }]
  }
  const article = /^[aeiou]/.test(type) ? 'an' : 'a'
  return findSchemaProblems(FIELD_FILES.get(type) as unknown as Shape, input, at, `${article} ${type}`)
}

/** Checks the form of the records of a metadata type. They are a part of the schema, so there are not too many. */
function* checkRecords(
  records: Readonly<Record<string, unknown>>,
  at: Problem['path'],
): Generator<Problem[]> {
  const all = Object.entries(records)
  if (all.length > MAX_RECORDS) {
    yield [{ path: at, message: `${all.length} records are more than ${MAX_RECORDS}` }]
    return
  }
  let characters = 0
  for (const [name, record] of all) {
    const path = [...at, name]
    yield checkPart(record, path, () =>
      findSchemaProblems(RECORD_FILE as unknown as Shape, record ?? {}, path, 'a record'),
    )
    characters += JSON.stringify(record).length
    if (characters <= MAX_RECORD_CHARACTERS) continue
    yield [{ path: at, message: `the records have more than ${MAX_RECORD_CHARACTERS} characters together` }]
    return
  }
}

function* checkObject(name: string, input: unknown): Generator<Problem[]> {
  const at = ['objects', name]
  const { fields, records }: Readonly<Record<string, unknown>> = isObject(input) ? input : {}
  const parts = { ...(isObject(fields) && { fields: {} }), ...(isObject(records) && { records: {} }) }
  const rest = isObject(input) ? { ...input, ...parts } : (input ?? {})
  yield checkPart(rest, at, () => findSchemaProblems(OBJECT_FILE as unknown as Shape, rest, at, 'an object'))
  if (isObject(records)) yield* checkRecords(records, [...at, 'records'])
  if (!isObject(fields)) return
  const all = Object.entries(fields)
  if (all.length > MAX_COLUMNS) {
    yield [{ path: [...at, 'fields'], message: `${all.length} fields are more than ${MAX_COLUMNS}` }]
    return
  }
  const custom = isCustomObject(name)
  for (const [field, value] of all) {
    const path = [...at, 'fields', field]
    yield isName(field)
      ? checkPart(value, path, () => checkField(value, path, !custom && !field.endsWith('__c')))
      : [{ path, message: `"${field}" is no name: letters, digits and _` }]
  }
}

/** Bounds how many values fields have that take them from value sets: a few letters stand for thousands there. */
function* checkListedValues({ objects, valueSets }: DefinitionFiles): Generator<Problem[]> {
  let inAll = 0
  for (const [name, file] of Object.entries(objects)) {
    let count = 0
    for (const field of Object.values(file?.fields ?? {})) {
      const set = field?.valueSet
      count += field?.values?.length ?? 0
      if (set !== undefined && Object.hasOwn(valueSets, set)) count += valueSets[set]!.values.length
    }
    const path = ['objects', name, 'fields']
    if (count > MAX_LISTED_IN_OBJECT) {
      yield [{ path, message: `they have more than ${MAX_LISTED_IN_OBJECT} picklist values together` }]
    } else if (inAll + count > MAX_LISTED) {
      yield [{ path, message: `those of all objects have more than ${MAX_LISTED} picklist values together` }]
    } else {
      inAll += count
      yield []
    }
  }
}

function* checkParts(files: DefinitionFiles): Generator<Problem[]> {
  const { objects, valueSets } = files
  for (const [name, input] of Object.entries(valueSets)) {
    const at = ['valueSets', name]
    yield [
      ...checkText(name, at),
      ...checkPart(input, at, () =>
        findSchemaProblems(VALUE_SET_FILE as unknown as Shape, input ?? {}, at, 'a value set'),
      ),
    ]
  }
  for (const [name, input] of Object.entries(objects)) {
    if (isName(name)) yield* checkObject(name, input)
    else yield [{ path: ['objects', name], message: `"${name}" is no name: letters, digits and _` }]
  }
  yield* checkPermissionShape(files)
  yield* checkSettingsFiles(files)
}

/** Finds unknown properties and values of a wrong type, and more definitions than an org may have. */
export function* checkShape(files: DefinitionFiles): Generator<void, Problem[]> {
  const names = Object.keys(files.objects).filter(isCustomObject)
  const types = names.filter(isMetadataType).length
  const events = names.filter(isEventObject).length
  for (const [count, kind] of [
    [names.length - types - events, 'custom objects'],
    [types, 'metadata types'],
    [events, 'platform events'],
  ] as const) {
    if (count <= MAX_CUSTOM_OBJECTS) continue
    const message = `${count} ${kind} are more than the ${MAX_CUSTOM_OBJECTS} that an org can have`
    return [{ path: ['objects'], message }]
  }
  const problems = yield* gatherProblems(checkParts(files))
  return problems.length > 0 ? problems : yield* gatherProblems(checkListedValues(files))
}
