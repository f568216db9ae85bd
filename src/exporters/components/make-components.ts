import { MONTHS } from '../../base/fiscal-year.ts'
import { same } from '../../definitions/checks/checking.ts'
import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { DefinitionFiles, ObjectFile } from '../../definitions/formats/object-file.ts'
import { LABELS } from '../../schema/definitions/definition.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import type { Component } from './component.ts'
import type { ComponentTypeName } from './component-types.ts'
import { exportChannels } from './export-channels.ts'
import type { KnownObjects } from './export-field.ts'
import type { ExportNotes } from './export-notes.ts'
import { exportObject, exportRecords } from './export-object.ts'
import { exportPermissionSet, exportProfile } from './export-permissions.ts'
import { exportGlobalValueSet } from './export-values.ts'
import type { Content } from './write-xml.ts'

/** The labels of the org, which the formats have in one file. */
const exportLabels = ({ records = {} }: ObjectFile): Component => ({
  type: 'CustomLabels',
  fullName: 'CustomLabels',
  content: {},
  children: Object.entries(records).map(([fullName, record]) => ({
    type: 'CustomLabel',
    fullName,
    content: {
      language: 'en_US',
      protected: false,
      shortDescription: record?.label ?? fullName,
      value: String(record?.values?.[LABELS.field] ?? ''),
    },
  })),
})

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

/**
 * Makes the components of definition files, one at a time, so that the work may pause between them.
 * @param notes gets what the formats have no place for
 */
export function* makeComponents(definitions: DefinitionFiles, notes: ExportNotes): Generator<Component> {
  const { objects, valueSets, permissionSets = {}, profiles = {} } = definitions
  const known = findKnownObjects(definitions)
  for (const [name, file] of Object.entries(objects)) {
    if (name === LABELS.type) yield exportLabels(file ?? {})
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
