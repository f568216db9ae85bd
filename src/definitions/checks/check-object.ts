import { getOrInsert } from '../../base/get-or-insert.ts'
import { didYouMean } from '../../base/nearest.ts'
import { isEventObject, isMetadataType, splitCustomName } from '../../schema/definitions/custom-name.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { findValueProblem } from '../../schema/fields/field-type.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { mayTrack } from '../../schema/fields/tracked-field.ts'
import { EVENT_FIELDS } from '../../schema/objects/event-fields.ts'
import { expandFields, isSystemField } from '../../schema/objects/expand-definition.ts'
import { getMetadataTypeFields } from '../../schema/objects/metadata-type-fields.ts'
import { makeFields } from '../../schema/objects/object-type.ts'
import { findIdLetter } from '../../schema/snapshot/identities.ts'
import { mayTrackHistory } from '../../standard/setup/setup-objects.ts'
import { checkChannels } from './check-channels.ts'
import { checkEvent, checkEventField } from './check-event.ts'
import { checkMetadataField, checkMetadataType, checkRecords } from './check-metadata-type.ts'
import { findNameProblem } from './check-name.ts'
import { checkPicklist } from './check-picklist.ts'
import { checkReference } from './check-reference.ts'
import { checkSetting, checkSettingField } from './check-setting.ts'
import { byName, type Checking, MAX_COLUMNS, same } from './checking.ts'
import type { Problem } from './problem.ts'

/** Maximum number of fields in an index. PostgreSQL limits the bytes of an index entry. */
const MAX_INDEX_FIELDS = 3

/** Maximum length of a name of PostgreSQL. */
const MAX_COLUMN_LENGTH = 63

/** Maximum length of an object's name: it fits PostgreSQL's names with the `_pkey` of its primary key, and with `__Share`. */
const MAX_TABLE_LENGTH = MAX_COLUMN_LENGTH - '_pkey'.length

function checkName(name: string, path: Problem['path']): Problem[] {
  const message = findNameProblem(splitCustomName(name))
  return message === undefined ? [] : [{ path, message }]
}

/** The parts of a compound field have longer names than the field. */
function checkPartNames(field: FieldDefinition, path: Problem['path']): Problem[] {
  const parts = FIELD_TYPES[field.type].makeParts?.(field) ?? []
  const excess = Math.max(0, ...parts.map(({ name }) => name.length - MAX_COLUMN_LENGTH))
  if (excess === 0) return []
  const message = `the names of the parts of this ${field.type} would be too long; take a name that is ${excess} characters shorter`
  return [{ path, message }]
}

function checkFieldName(
  { object, file, fields, standard }: Checking,
  twins: ReadonlySet<string>,
  name: string,
  path: Problem['path'],
): Problem[] {
  if (twins.has(name.toLowerCase()))
    return [{ path, message: 'there are two fields of this name: case makes no difference' }]
  if (name.endsWith('__c')) {
    const problems = checkName(name, path)
    return problems.length > 0 ? problems : checkPartNames(fields.get(name.toLowerCase())!, path)
  }
  if (standard !== undefined) {
    if (file.fields![name]?.type === undefined) return []
    return [{ path: [...path, 'type'], message: 'a standard field keeps its type; take this line out' }]
  }
  const isMetadata = isMetadataType(object.name)
  const isEvent = isEventObject(object.name)
  if (name === 'Name' && !isMetadata && !isEvent) return []
  if (isEvent && EVENT_FIELDS.some((field) => same(field.name, name))) {
    return [{ path, message: `every platform event has ${name} without saying so; take it out` }]
  }
  if (isMetadata && getMetadataTypeFields(object.name).some((field) => same(field.name, name))) {
    return [{ path, message: `every metadata type has ${name} without saying so; take it out` }]
  }
  if (isSystemField(name) || name === 'OwnerId' || name === 'RecordTypeId') {
    return [{ path, message: `every object has ${name} without saying so; take it out` }]
  }
  return [{ path, message: `a field of your own ends in __c: ${name}__c` }]
}

/** Why a field's default value is invalid, or undefined when it is valid. */
function findDefaultProblem(field: Field): string | undefined {
  const { default: defaultValue } = field.definition
  if (defaultValue === undefined) return undefined
  if (typeof defaultValue === 'string' && defaultValue.trim() === '') return 'an empty text is no default'
  return findValueProblem(field, defaultValue)
}

/** Properties that a field without values of its own cannot have. */
const STORED_PROPERTIES = [
  'required',
  'unique',
  'externalId',
  'idLookup',
  'caseSensitive',
  'computed',
  'default',
  'defaultFormula',
  'createable',
  'updateable',
  'trackHistory',
] as const

function checkFormulaProperties({ file }: Checking, name: string, path: Problem['path']): Problem[] {
  const field = file.fields?.[name] ?? {}
  if (field.formula !== undefined && field.rollUp !== undefined)
    return [{ path: [...path, 'rollUp'], message: 'a field has a formula or a roll-up, not both' }]
  if (field.formula === undefined && field.rollUp === undefined) {
    return field.blanks === undefined
      ? []
      : [{ path: [...path, 'blanks'], message: 'is for fields with a formula only' }]
  }
  const given = STORED_PROPERTIES.filter((property) => field[property] !== undefined)
  const problems = given.map((property) => ({
    path: [...path, property],
    message: `means nothing for a field that a ${field.formula === undefined ? 'roll-up' : 'formula'} computes; take this line out`,
  }))
  if (field.length === undefined) return problems
  return [
    ...problems,
    {
      path: [...path, 'length'],
      message: 'the text of a formula has 1300 characters at most; take this line out',
    },
  ]
}

/** Finds properties of a field that contradict each other. */
function checkProperties(
  checking: Checking,
  made: ReadonlyMap<string, Field>,
  name: string,
  path: Problem['path'],
): Problem[] {
  const field = checking.fields.get(name.toLowerCase())!
  const problems: Problem[] = checkFormulaProperties(checking, name, path)
  const report = (property: string, message: string) => problems.push({ path: [...path, property], message })
  if (field.caseSensitive && !field.unique) report('caseSensitive', 'is for unique fields only')
  if (field.computed && field.required)
    report('required', 'a computed field cannot be required: nobody writes it')
  if (field.default !== undefined && field.defaultFormula !== undefined)
    report('defaultFormula', 'a field has a default or a formula for it, not both')
  if (field.computed && field.default !== undefined) report('default', 'a computed field has no default')
  if (field.scale !== undefined && field.scale > (field.precision ?? 18)) {
    report('scale', `more digits after the point (${field.scale}) than in all (${field.precision ?? 18})`)
  }
  if (field.trackHistory && !mayTrack(made.get(name.toLowerCase())!))
    report('trackHistory', 'changes of this field are not kept; take this line out')
  if (FIELD_TYPES[field.type].counted) {
    const format = field.format ?? '{0}'
    if (!/^[^{}]*\{0{1,10}\}[^{}]*$/.test(format)) {
      report('format', `"${format}" has no place for the number; write {0} or {0000}, once, where it stands`)
    } else if (format.length > 30) report('format', 'is longer than 30 characters')
  }
  const defaultProblem = findDefaultProblem(made.get(name.toLowerCase())!)
  if (defaultProblem !== undefined) report('default', defaultProblem)
  if (name === 'Name' && checking.standard === undefined && !FIELD_TYPES[field.type].namesRecords) {
    report('type', 'a name is a string or an autonumber')
  }
  return problems
}

function* checkIndexes({ object, file }: Checking): Generator<Problem[]> {
  const all = expandFields(object)
  const names = all.map((field) => field.name)
  const named = byName(all)
  for (const [at, fields] of (file.indexes ?? []).entries()) {
    const indexPath = ['objects', object.name, 'indexes', at]
    if (fields.length > MAX_INDEX_FIELDS) {
      yield [{ path: indexPath, message: `an index has ${MAX_INDEX_FIELDS} fields at most` }]
      continue
    }
    yield fields.flatMap((name, position) => {
      const path = [...indexPath, position]
      const field = named.get(name.toLowerCase())
      if (field === undefined) {
        return [{ path, message: `${object.name} has no field ${name}${didYouMean(name, names)}` }]
      }
      return FIELD_TYPES[field.type].sortable ? [] : [{ path, message: `a ${field.type} cannot be indexed` }]
    })
  }
}

function* checkRecordTypes({ object, fields, file }: Checking): Generator<Problem[]> {
  const at = ['objects', object.name, 'recordTypes']
  const types = Object.entries(file.recordTypes ?? {})
  const defaults = types.filter(([, type]) => type?.default === true)
  yield defaults.slice(1).map(([name]) => ({
    path: [...at, name, 'default'],
    message: `${defaults[0]![0]} is the default already`,
  }))
  const picklists = object.fields.filter(({ values }) => values !== undefined)
  const listed = new Map<FieldDefinition, ReadonlySet<string>>()
  const listedIn = (field: FieldDefinition) =>
    getOrInsert(
      listed,
      field,
      () => new Set(field.values!.map((entry) => (typeof entry === 'string' ? entry : entry.value))),
    )
  for (const [name, type] of types) {
    if (!/^[A-Za-z]\w*$/.test(name)) {
      yield [{ path: [...at, name], message: `"${name}" is no name: letters, digits and _` }]
    }
    for (const [fieldName, allowedValues] of Object.entries(type?.picklists ?? {})) {
      const path = [...at, name, 'picklists', fieldName]
      const field = fields.get(fieldName.toLowerCase())
      if (field?.values === undefined) {
        const meant = didYouMean(
          fieldName,
          picklists.map((known) => known.name),
        )
        yield [{ path, message: `${object.name} has no picklist ${fieldName}${meant}` }]
        continue
      }
      const values = listedIn(field)
      for (const [index, value] of allowedValues.entries()) {
        if (values.has(value)) continue
        const message = `${fieldName} has no value "${value}"${didYouMean(value, values)}`
        yield [{ path: [...path, index], message }]
      }
      yield []
    }
  }
}

/** Fields that errors cannot be at: nobody writes them. */
const isWritten = ({ formula, rollUp, computed }: FieldDefinition) =>
  formula === undefined && rollUp === undefined && computed !== true

/** Most characters of the name of a validation rule. */
const MAX_RULE_NAME = 40

function* checkValidations({ object, file, fields }: Checking): Generator<Problem[]> {
  const at = ['objects', object.name, 'validations']
  for (const [name, { field: location }] of Object.entries(file.validations ?? {})) {
    const path = [...at, name]
    if (!/^[A-Za-z]\w*$/.test(name) || name.length > MAX_RULE_NAME) {
      yield [{ path, message: `"${name}" is no name: letters, digits and _, ${MAX_RULE_NAME} at most` }]
    }
    if (location === undefined) continue
    const known = fields.get(location.toLowerCase())
    if (known === undefined) {
      const meant = didYouMean(
        location,
        object.fields.map((one) => one.name),
      )
      yield [{ path: [...path, 'field'], message: `${object.name} has no field ${location}${meant}` }]
    } else if (!isWritten(known)) {
      yield [
        {
          path: [...path, 'field'],
          message: `nobody writes ${known.name}; take another field, or this line out`,
        },
      ]
    }
  }
}

/** The key prefix of an id identifies the object, so no two objects share one. */
function checkKeyPrefix({ object, file, names, standard }: Checking): Problem[] {
  if (file.keyPrefix === undefined) return []
  const path = ['objects', object.name, 'keyPrefix']
  if (standard !== undefined)
    return [{ path, message: `ids of ${object.name} start with ${standard.keyPrefix}` }]
  const letter = findIdLetter(object.name)
  if (!file.keyPrefix.startsWith(letter)) {
    return [{ path, message: `ids of ${object.name} start with ${letter}: ${letter}07` }]
  }
  const twin = names.keyPrefixes.get(file.keyPrefix)?.find((other) => other.name !== object.name)
  return twin === undefined
    ? []
    : [{ path, message: `ids of ${twin.name} start with ${file.keyPrefix} already` }]
}

function checkHistory({ object, file }: Checking): Problem[] {
  if (file.trackHistory !== true || mayTrackHistory(object)) return []
  const message = `changes of ${object.name} records are not kept; take this line out`
  return [{ path: ['objects', object.name, 'trackHistory'], message }]
}

function checkChangeEvents({ object, file }: Checking): Problem[] {
  if (file.changeEvents !== true || mayTrackHistory(object)) return []
  const message = `changes of ${object.name} records are not told; take this line out`
  return [{ path: ['objects', object.name, 'changeEvents'], message }]
}

function checkObjectName({ object, standard }: Checking): Problem[] {
  if (standard !== undefined) return []
  const path = ['objects', object.name]
  const problems = checkName(object.name, path)
  if (problems.length > 0 || object.name.length <= MAX_TABLE_LENGTH) return problems
  const most = MAX_TABLE_LENGTH - /__[a-z]+$/.exec(object.name)![0].length
  return [{ path, message: `the name with the prefix of its package is longer than ${most} characters` }]
}

function checkSize({ object }: Checking): Problem[] {
  const count = expandFields(object).length
  if (count <= MAX_COLUMNS) return []
  return [
    { path: ['objects', object.name, 'fields'], message: `${count} fields are more than ${MAX_COLUMNS}` },
  ]
}

/** The names that several fields have, in lower case. */
function findTwins({ object, fields }: Checking): ReadonlySet<string> {
  const later = object.fields.filter((field) => fields.get(field.name.toLowerCase()) !== field)
  return new Set(later.map(({ name }) => name.toLowerCase()))
}

/** Finds problems in an object whose file matches the schema, a field at a time. */
export function* checkObject(checking: Checking): Generator<Problem[]> {
  const { object, file } = checking
  const tooLarge = checkSize(checking)
  yield tooLarge
  // The checks of each field take longer the more fields there are.
  if (tooLarge.length > 0) return
  yield [
    ...checkObjectName(checking),
    ...checkKeyPrefix(checking),
    ...checkSetting(checking),
    ...checkMetadataType(checking),
    ...checkEvent(checking),
    ...checkHistory(checking),
    ...checkChangeEvents(checking),
    ...checkChannels(checking),
  ]
  const made = new Map(makeFields(object).map((field) => [field.name.toLowerCase(), field]))
  const twins = findTwins(checking)
  for (const name of Object.keys(file.fields ?? {})) {
    const path = ['objects', object.name, 'fields', name]
    const named = checkFieldName(checking, twins, name, path)
    yield named
    if (named.length > 0) continue
    yield [
      ...checkProperties(checking, made, name, path),
      ...checkSettingField(checking, name, path),
      ...checkMetadataField(checking, name, path),
      ...checkEventField(checking, name, path),
    ]
    yield* checkPicklist(checking, name, path)
    yield checkReference(checking, name, path)
  }
  yield* checkRecordTypes(checking)
  yield* checkValidations(checking)
  yield* checkIndexes(checking)
  yield* checkRecords(checking, made)
}
