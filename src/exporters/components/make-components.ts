import { isDeepStrictEqual } from 'node:util'
import { MONTHS } from '../../base/fiscal-year.ts'
import { same } from '../../definitions/checks/checking.ts'
import { ACTIVITIES } from '../../definitions/formats/activity-fields.ts'
import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { DefinitionFiles, ObjectFile } from '../../definitions/formats/object-file.ts'
import { LABELS } from '../../schema/definitions/definition.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import type { Component } from './component.ts'
import type { ComponentTypeName } from './component-types.ts'
import { exportChannels } from './export-channels.ts'
import type { KnownObjects } from './export-field.ts'
import { exportLabels } from './export-labels.ts'
import type { ExportNotes } from './export-notes.ts'
import { exportObject, exportRecords } from './export-object.ts'
import { exportPermissionSet, exportProfile } from './export-permissions.ts'
import { exportGlobalValueSet } from './export-values.ts'
import type { Content } from './write-xml.ts'

function* exportSettings({ settings }: DefinitionFiles): Generator<Component> {
  const { startMonth = 1, namedBy = 'endDate' } = settings?.Company?.fiscalYear ?? {}
  if (settings?.Company?.fiscalYear === undefined) return
  yield makeWhole('Settings', 'Company', {
    fiscalYear: {
      fiscalYearNameBasedOn: namedBy === 'startDate' ? 'StartingMonth' : 'EndingMonth',
      startMonth: MONTHS[startMonth - 1]!,
    },
  })
}

const makeWhole = (type: ComponentTypeName, fullName: string, content: Content): Component => ({
  type,
  fullName,
  content,
  children: [],
})

function findKnownObjects({ objects }: DefinitionFiles): KnownObjects {
  return {
    fieldAt: (path) => {
      const [object = '', name = ''] = path.split('.')
      const fields = (Object.hasOwn(objects, object) && objects[object]?.fields) || {}
      return (Object.hasOwn(fields, name) && fields[name]) || undefined
    },
    isPercent: (object, field) => {
      const standard = findStandardObject(object)
      const known = objects[object]?.fields?.[field] ?? standard?.fields.find(({ name }) => same(name, field))
      return known?.type !== undefined && FIELD_TYPES[known.type].formula?.isPercent === true
    },
    recordTypes: (object) => {
      const types = Object.entries(objects[object]?.recordTypes ?? {})
      return new Map(types.map(([name, type]) => [name, type?.label ?? makeLabel(name)]))
    },
  }
}

const withoutWayDown = ({ children: _, ...field }: FieldFile) => field

/** Own fields that tasks and events have alike, whatever leads from other records to them, are fields of Activity in the formats. */
function withActivity(objects: DefinitionFiles['objects']): DefinitionFiles['objects'] {
  const [tasks = {}, events = {}] = ACTIVITIES.map((name) => objects[name]?.fields)
  const isCommon = (name: string) =>
    name.endsWith('__c') &&
    Object.hasOwn(events, name) &&
    isDeepStrictEqual(withoutWayDown(tasks[name] ?? {}), withoutWayDown(events[name] ?? {}))
  const fields = Object.fromEntries(Object.entries(tasks).filter(([name]) => isCommon(name)))
  if (Object.keys(fields).length === 0) return objects
  const withoutCommon = (name: string): ObjectFile => ({
    ...objects[name],
    fields: Object.fromEntries(
      Object.entries(objects[name]?.fields ?? {}).filter(([field]) => !Object.hasOwn(fields, field)),
    ),
  })
  const own = ACTIVITIES.map((name) => [name, withoutCommon(name)])
  return { ...objects, Activity: { fields }, ...Object.fromEntries(own) }
}

/**
 * Makes the components of definition files, one at a time, so that the work may pause between them.
 * @param notes gets what the formats have no place for
 */
export function* makeComponents(definitions: DefinitionFiles, notes: ExportNotes): Generator<Component> {
  const { valueSets, permissionSets = {}, profiles = {} } = definitions
  const known = findKnownObjects(definitions)
  const objects = withActivity(definitions.objects)
  for (const [name, file] of Object.entries(objects)) {
    if (name === LABELS.type) yield exportLabels(file ?? {}, notes)
    else {
      yield exportObject(name, file ?? {}, notes, known)
      yield* exportRecords(name, file ?? {})
    }
  }
  for (const [name, file] of Object.entries(valueSets))
    yield makeWhole('GlobalValueSet', name, exportGlobalValueSet(name, file))
  for (const [name, file] of Object.entries(permissionSets))
    yield makeWhole('PermissionSet', name, exportPermissionSet(name, file ?? {}, notes))
  for (const [name, file] of Object.entries(profiles))
    yield makeWhole('Profile', name, exportProfile(name, file ?? {}, notes))
  yield* exportChannels(definitions)
  yield* exportSettings(definitions)
}
