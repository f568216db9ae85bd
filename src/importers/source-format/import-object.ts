import { MAX_COLUMNS, same } from '../../definitions/checks/checking.ts'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { ObjectFile, RecordTypeFile, ValidationFile } from '../../definitions/formats/object-file.ts'
import { isEventObject, isMetadataType } from '../../schema/definitions/custom-name.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { mayTrack } from '../../schema/fields/tracked-field.ts'
import { expandFields } from '../../schema/objects/expand-definition.ts'
import { makeFields } from '../../schema/objects/object-type.ts'
import { mayTrackHistory } from '../../standard/setup/setup-objects.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import { readAutonumberFormat } from './fields/field-readers.ts'
import type { Project } from './fields/field-source.ts'
import { importField, noteUnread, readTexts, readTracking } from './fields/import-field.ts'
import { readAhead, readPicklistValues } from './fields/read-values.ts'
import { importListViews } from './import-list-view.ts'
import { importRecordType } from './import-record-type.ts'
import { importRecords } from './import-records.ts'
import type { MetadataElement } from './project/metadata-element.ts'
import { removeFormulaTokens } from './project/source-file.ts'
import type { SourceObject } from './project/source-object.ts'
import { STANDARD_VALUE_SETS } from './standard-value-sets.ts'

const SHARING: Readonly<Record<string, ObjectFile['sharing']>> = {
  Private: 'private',
  Read: 'read',
  ReadWrite: 'readWrite',
  ControlledByParent: 'controlledByParent',
}

function readSharing(xml: MetadataElement, location: string, { pad }: Project): ObjectFile {
  const model = xml.text('sharingModel')
  if (model === undefined || model === 'ReadWrite') return {}
  if (Object.hasOwn(SHARING, model)) return { sharing: SHARING[model] }
  pad.add('access', location, `its sharing model ${model} is readWrite here`)
  return {}
}

function readNameField(xml: MetadataElement, object: string, { pad }: Project): FieldFile | undefined {
  const name = xml.one('nameField')
  if (name === undefined) return undefined
  const label = name.text('label')
  const common = label === undefined ? {} : { label }
  if (name.text('type') !== 'AutoNumber') return { type: 'string', ...common }
  return { type: 'autonumber', ...common, format: readAutonumberFormat(name, `${object}.Name`, pad) }
}

const SETTINGS = new Map<string | undefined, ObjectFile['setting']>([
  ['Hierarchy', 'hierarchy'],
  ['List', 'list'],
])

const findSetting = ({ xml }: SourceObject) => SETTINGS.get(xml?.text('customSettingsType'))

/** Objects whose records are configuration, or that have none, have neither owners nor screens. */
const isWithoutData = (source: SourceObject) =>
  isMetadataType(source.name) || isEventObject(source.name) || findSetting(source) !== undefined

/** When a platform event is published; nothing where the file does not say it. */
function readPublishing({ name, xml }: SourceObject): ObjectFile {
  if (!isEventObject(name)) return {}
  xml!.text('eventType')
  return xml!.text('publishBehavior') === 'PublishImmediately' ? { publish: 'immediately' } : {}
}

/** Features of objects with data records. */
function readDataProperties(
  { name, xml }: SourceObject,
  standard: ObjectDefinition | undefined,
  project: Project,
): ObjectFile {
  const isStandard = standard !== undefined
  const canTrack = !isStandard || mayTrackHistory(standard)
  return {
    ...readSharing(xml!, name, project),
    ...(xml!.isTrue('enableHistory') && canTrack && { trackHistory: true }),
    ...(!isStandard && xml!.isTrue('enableActivities') && { activities: true }),
    ...(!isStandard && xml!.text('enableSearch') === 'false' && { searchable: false }),
  }
}

/** The properties of an object, without its fields, record types and rules. */
function readProperties(
  source: SourceObject,
  standard: ObjectDefinition | undefined,
  project: Project,
): ObjectFile {
  const { name, xml } = source
  if (xml === undefined) return {}
  const [label, labelPlural, description] = [
    xml.text('label'),
    xml.text('pluralLabel'),
    xml.text('description'),
  ]
  const status = xml.text('deploymentStatus')
  if (status !== undefined && status !== 'Deployed')
    project.pad.collect('display', name, `deploymentStatus ${status}`)
  return {
    ...(label !== undefined && { label }),
    ...(labelPlural !== undefined && { labelPlural }),
    ...(description !== undefined && { description }),
    ...readPublishing(source),
    ...(isWithoutData(source)
      ? { setting: findSetting(source) }
      : readDataProperties(source, standard, project)),
  }
}

/** The changes of a project to a standard field: texts and picklist values. */
function* changeField(
  standard: ObjectDefinition,
  name: string,
  xml: MetadataElement,
  project: Project,
): Generator<void, [string, FieldFile][]> {
  yield* readAhead(xml)
  const known = standard.fields.find((field) => same(field.name, name))
  const source = { object: standard.name, name, xml, project }
  if (known === undefined) {
    project.pad.collect('standardField', standard.name, name)
    return []
  }
  const values = readPicklistValues(xml, project.valuesOfSet)
  const ofStandardSet = values?.valueSet !== undefined && Object.hasOwn(STANDARD_VALUE_SETS, values.valueSet)
  for (const given of [
    'length',
    'precision',
    'scale',
    'referenceTo',
    'relationshipName',
    'relationshipLabel',
  ]) {
    xml.all(given)
  }
  const change: FieldFile = {
    ...readTexts(source),
    ...(xml.isTrue('required') && known.required !== true && { required: true }),
    ...(values !== undefined && !ofStandardSet && values),
    ...readTracking(source, mayTrack(makeFields(standard).find(({ name }) => name === known.name)!)),
  }
  yield* noteUnread(source)
  return Object.keys(change).length === 0 ? [] : [[known.name, change]]
}

/** Validation rules, one at a time. What cannot be compiled is taken out later, with its position. */
function* importValidations({ validationRules }: SourceObject): Generator<void, ObjectFile> {
  if (validationRules.size === 0) return {}
  const rules: (readonly [string, ValidationFile])[] = []
  for (const [name, xml] of validationRules) {
    yield
    const [field, description] = [xml.text('errorDisplayField'), xml.text('description')]
    const rule = {
      condition: removeFormulaTokens(xml.text('errorConditionFormula') ?? ''),
      message: xml.text('errorMessage') ?? name,
      ...(field !== undefined && { field }),
      ...(xml.text('active') === 'false' && { active: false }),
      ...(description !== undefined && { description }),
    }
    rules.push([name, rule])
  }
  return { validations: Object.fromEntries(rules) }
}

/** Record types and list views, which only records of data have. */
function* importParts(source: SourceObject, project: Project): Generator<void, ObjectFile> {
  if (!isWithoutData(source)) {
    const recordTypes = yield* importRecordTypes(source, project)
    return { ...recordTypes, ...(yield* importListViews(source, project)) }
  }
  for (const part of ['recordTypes', 'listViews'] as const) {
    const { size } = source[part]
    if (size > 0) project.pad.collect('component', source.name, part, size)
  }
  return {}
}

function* importRecordTypes(source: SourceObject, project: Project): Generator<void, ObjectFile> {
  const { name, recordTypes } = source
  if (recordTypes.size === 0) return {}
  project.pad.add('recordType', name, 'which type is the default is said by profiles there: none is here')
  const types: [string, RecordTypeFile][] = []
  for (const [type, xml] of recordTypes) {
    types.push([type, importRecordType(name, type, xml, project)])
    yield
  }
  return { recordTypes: Object.fromEntries(types) }
}

/** It has the fields that every object has. */
export const BARE_OBJECT: ObjectDefinition = {
  ...{ name: '', label: '', labelPlural: '', keyPrefix: '' },
  fields: [],
}

/** The fields of an object, one at a time. */
function* importFields(
  { name, fields }: SourceObject,
  standard: ObjectDefinition | undefined,
  project: Project,
): Generator<void, [string, FieldFile][]> {
  const there = new Set(Object.keys(project.kept(name)?.fields ?? {}))
  const ofPlatform = expandFields(standard ?? { ...BARE_OBJECT, name }).length
  const made: [string, FieldFile][] = []
  for (const [field, xml] of fields) {
    yield
    // Before it is read: that takes longer the more there are.
    if (ofPlatform + there.size >= MAX_COLUMNS && !there.has(field)) {
      project.pad.add('refused', `${name}.${field}`, `the object would have more than ${MAX_COLUMNS} fields`)
      continue
    }
    there.add(field)
    if (field.endsWith('__c'))
      made.push([field, yield* importField({ object: name, name: field, xml, project })])
    else if (standard !== undefined) made.push(...(yield* changeField(standard, field, xml, project)))
    else project.pad.collect('standardField', name, field)
  }
  return made
}

/** Makes the definition file of a custom object, or of the changes to a standard object. Takes a pause after each of its parts. */
export function* importObject(source: SourceObject, project: Project): Generator<void, ObjectFile> {
  const { name, xml } = source
  const standard = findStandardObject(name)
  const properties = readProperties(source, standard, project)
  const hasName = standard === undefined && !isMetadataType(name) && !isEventObject(name)
  const nameField = xml && hasName ? readNameField(xml, name, project) : undefined
  const fields = yield* importFields(source, standard, project)
  if (xml === undefined && standard === undefined && project.kept(name) === undefined) {
    project.pad.add('unsaid', name, 'its own file is not here: label, name field and sharing are guessed')
  }
  const own = Object.fromEntries([...(nameField ? [['Name', nameField] as const] : []), ...fields])
  const file = {
    ...properties,
    ...(yield* importParts(source, project)),
    ...(yield* importValidations(source)),
    fields: own,
    ...(yield* importRecords(source, { ...project.kept(name)?.fields, ...own }, project)),
  }
  for (const unread of xml?.unread() ?? []) project.pad.collect('display', name, unread)
  return file
}
