import { drain } from '../../base/run-in-slices.ts'
import { same } from '../../definitions/checks/checking.ts'
import { ACTIVITIES } from '../../definitions/formats/activity-fields.ts'
import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { DefinitionFiles, ObjectFile, ValueSetFile } from '../../definitions/formats/object-file.ts'
import { isCustomObject, isMetadataType } from '../../schema/definitions/custom-name.ts'
import { LABELS } from '../../schema/definitions/definition.ts'
import { expandFields } from '../../schema/objects/expand-definition.ts'
import { kindOf, MAX_CUSTOM_OBJECTS } from '../../schema/snapshot/identities.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import { finishInSlices } from '../finish-import.ts'
import type { Imported } from '../imported.ts'
import { NotePad } from '../notes.ts'
import type { Project } from './fields/field-source.ts'
import { importField } from './fields/import-field.ts'
import { importChannels } from './import-channels.ts'
import { importLabels } from './import-labels.ts'
import { BARE_OBJECT, importObject } from './import-object.ts'
import { importPermissions } from './import-permissions.ts'
import { importSettings } from './import-settings.ts'
import { importValueSet, standardValues } from './import-value-sets.ts'
import { overlayObject } from './overlay-object.ts'
import type { SourceFile } from './project/source-file.ts'
import { emptyObject, gatherParts, type SourceObject } from './project/source-object.ts'

/** Kinds of objects that do not hold records, by the suffix of their names. */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  __b: 'a big object',
  __x: 'an external object',
  __kav: 'a knowledge article type',
}

/** Why an object cannot be imported; undefined when it can. */
function reasonAgainst({ name, xml, fields }: SourceObject, { kept }: Project): string | undefined {
  const [ending] = /__[a-z]+$/i.exec(name) ?? []
  if (isMetadataType(name) && xml === undefined && fields.size === 0 && kept(name) === undefined)
    return 'a metadata type that is not among the files'
  if (ending !== undefined && !isCustomObject(name))
    return OTHER_KINDS[ending] ?? `an object of the kind ${ending}`
  if (ending === undefined && findStandardObject(name) === undefined)
    return 'a standard object that Objectry does not have'
  return undefined
}

/** Counts custom objects of each kind, of which an org may have so many. */
function countObjects(known: DefinitionFiles | undefined): (name: string) => string | undefined {
  const names = new Set(Object.keys(known?.objects ?? {}).filter(isCustomObject))
  const counts = { object: 0, type: 0, event: 0 }
  for (const name of names) counts[kindOf(name)]++
  return (name) => {
    if (!isCustomObject(name) || names.has(name)) return undefined
    const kind = kindOf(name)
    if (counts[kind] === MAX_CUSTOM_OBJECTS) return `more than the ${MAX_CUSTOM_OBJECTS} that an org can have`
    names.add(name)
    counts[kind]++
    return undefined
  }
}

/** Counts of an object's components: `1 field`, `3 records`. */
const describeParts = ({ fields, records }: SourceObject): string[] =>
  [[fields.size, 'field'] as const, [records.size, 'record'] as const].flatMap(([count, what]) =>
    count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`],
  )

/** Copies the fields of Activity to Task and Event. */
function spreadActivities(objects: readonly SourceObject[], pad: NotePad): SourceObject[] {
  const activity = objects.find(({ name }) => name === 'Activity')
  if (activity === undefined) return [...objects]
  pad.add('name', 'Activity', 'its fields are fields of Task and of Event')
  const others = objects.filter((object) => object !== activity)
  const both = ACTIVITIES.map((name): SourceObject => {
    const own = others.find((object) => object.name === name)
    const fields = new Map([...activity.fields, ...(own?.fields ?? [])])
    return { ...(own ?? emptyObject(name)), fields }
  })
  return [...others.filter(({ name }) => !ACTIVITIES.some((one) => one === name)), ...both]
}

/** Gives fields access to other fields of the project. Reading a field this way adds no notes. */
function makeProject(
  objects: readonly SourceObject[],
  sets: Readonly<Record<string, ValueSetFile>>,
  pad: NotePad,
  known: DefinitionFiles | undefined,
  isOverlaid: boolean,
): Project {
  const valuesOfSet: Project['valuesOfSet'] = (name) =>
    Object.hasOwn(sets, name)
      ? sets[name]!.values.map((value) => (typeof value === 'string' ? { value } : value))
      : undefined
  const kept: Project['kept'] = (object) =>
    isOverlaid && known !== undefined && Object.hasOwn(known.objects, object)
      ? (known.objects[object] ?? {})
      : undefined
  const recordTypesWith: Project['recordTypesWith'] = (object, label) => {
    const types = objects.find((one) => same(one.name, object))?.recordTypes ?? []
    const labels = new Map([
      ...Object.entries(known?.objects[object]?.recordTypes ?? {}).map(
        ([name, type]) => [name, type?.label ?? makeLabel(name)] as const,
      ),
      ...[...types].map(([name, xml]) => [name, xml.text('label') ?? name] as const),
    ])
    return [...labels].filter(([, one]) => same(one, label)).map(([name]) => name)
  }
  /** @param path of those that roll-ups lead through: one that leads back to itself has no type */
  const findField = (path: string, through: readonly string[]): FieldFile | undefined => {
    const [object = '', name = ''] = path.split('.')
    const source = objects.find((one) => same(one.name, object))
    const xml = source?.fields.get(name)
    if (xml !== undefined && name.endsWith('__c')) {
      if (through.includes(path)) return undefined
      const silent: Project = {
        pad: new NotePad(),
        valuesOfSet,
        recordTypesWith,
        kept,
        fieldAt: (next) => findField(next, [...through, path]),
      }
      return drain(importField({ object, name, xml, project: silent }))
    }
    const deployed = known?.objects[object]?.fields?.[name]
    if (deployed) return deployed
    const standard = findStandardObject(object)
    if (standard === undefined && name === 'Name' && source !== undefined)
      return { type: source.xml?.one('nameField')?.text('type') === 'AutoNumber' ? 'autonumber' : 'string' }
    const field = expandFields(standard ?? BARE_OBJECT).find((one) => same(one.name, name))
    return field && { type: field.type, scale: field.scale }
  }
  return { pad, valuesOfSet, recordTypesWith, kept, fieldAt: (path) => findField(path, []) }
}

/** A child relationship name that Task uses cannot be used by Event too. */
function withoutChildren(event: ObjectFile, task: ObjectFile, pad: NotePad): ObjectFile {
  const fields = Object.entries(event.fields ?? {}).map(([name, field]) => {
    const { children, ...rest } = field ?? {}
    if (children === undefined || task.fields?.[name]?.children !== children) return [name, field] as const
    pad.add('name', `Event.${name}`, `has no way down: ${children} leads to tasks`)
    return [name, rest] as const
  })
  return { ...event, fields: Object.fromEntries(fields) }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)

/**
 * Makes definition files from the files of a project in source format, or in metadata format with one file for each
 * object. Takes a pause after each of its parts.
 * @param known existing files of the deployment
 * @param pad has notes of what was found already
 * @param keepsKnown what the project does not say of an object stays as it is known; else the project says all of it
 * @throws Error with the path of an unreadable file
 */
export function* importInSlices(
  files: readonly SourceFile[],
  known?: DefinitionFiles,
  pad = new NotePad(),
  keepsKnown = false,
): Generator<void, Imported> {
  const parts = yield* gatherParts(files, pad)
  const objects = spreadActivities([...parts.objects.values()], pad)
  const sets: [string, ValueSetFile][] = []
  for (const [name, xml] of [...parts.globalValueSets].sort(byName))
    sets.push([name, yield* importValueSet(name, xml, pad)])
  const valueSets = Object.fromEntries(sets)
  const project = makeProject(objects, { ...known?.valueSets, ...valueSets }, pad, known, keepsKnown)
  const imported = new Map<string, ObjectFile>()
  const findExcess = countObjects(known)
  for (const source of objects) {
    yield
    const reason = reasonAgainst(source, project) ?? findExcess(source.name)
    if (reason === undefined) {
      imported.set(findStandardObject(source.name)?.name ?? source.name, yield* importObject(source, project))
      continue
    }
    pad.add('object', source.name, [reason, ...describeParts(source)].join(', with '))
  }
  importChannels(parts, imported, project)
  const labels = yield* importLabels(parts.labels, Object.keys(project.kept(LABELS.type)?.records ?? {}), pad)
  if (labels !== undefined) imported.set(LABELS.type, labels)
  const [event, task] = [imported.get('Event'), imported.get('Task')]
  if (event && task) imported.set('Event', withoutChildren(event, task, pad))
  for (const [name, values] of yield* standardValues(parts.standardValueSets, pad)) {
    const file = imported.get(name)
    const fields = Object.entries(values).map(([field, change]) => [
      field,
      { ...file?.fields?.[field], ...change },
    ])
    imported.set(name, { ...file, fields: { ...file?.fields, ...Object.fromEntries(fields) } })
  }
  if (keepsKnown && known !== undefined) {
    for (const [name, file] of imported) {
      const hasLabel = parts.objects.get(name)?.xml?.text('label') !== undefined
      const source = !isCustomObject(name) ? 'some' : hasLabel ? 'all' : 'none'
      imported.set(name, overlayObject(known.objects[name], file, source))
    }
  }
  const draft = { objects: Object.fromEntries([...imported].sort(byName)), valueSets }
  const finished = yield* finishInSlices(draft, pad, known)
  const permissions = yield* importPermissions(parts, finished.files, pad, known)
  return {
    files: { ...finished.files, ...permissions, ...importSettings(parts.settings, pad) },
    notes: pad.notes,
  }
}

/** The same without a pause. */
export const importSourceFormat = (
  files: readonly SourceFile[],
  known?: DefinitionFiles,
  pad?: NotePad,
): Imported => drain(importInSlices(files, known, pad))
