import { MONTHS } from '../../base/fiscal-year.ts'
import { same } from '../../definitions/checks/checking.ts'
import { makeFileName, makeLabel } from '../../definitions/formats/definition-name.ts'
import type { DefinitionFiles, ObjectFile } from '../../definitions/formats/object-file.ts'
import { LABELS } from '../../schema/definitions/definition.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import { exportChannels } from './export-channels.ts'
import type { KnownObjects } from './export-field.ts'
import { ExportNotes } from './export-notes.ts'
import { type ExportedFiles, exportObject } from './export-object.ts'
import { exportPermissionSet, exportProfile } from './export-permissions.ts'
import { exportGlobalValueSet } from './export-values.ts'
import { writeXml } from './write-xml.ts'

interface Exported {
  readonly files: ReadonlyMap<string, string>
  /** Parts that the export left out, a line each. */
  readonly notes: readonly string[]
}

/** The labels of the org, which the format has in one file. */
const writeLabels = ({ records = {} }: ObjectFile): string =>
  writeXml('CustomLabels', {
    labels: Object.entries(records).map(([fullName, record]) => ({
      fullName,
      language: 'en_US',
      protected: false,
      shortDescription: record?.label ?? fullName,
      value: String(record?.values?.[LABELS.field] ?? ''),
    })),
  })

function writeCompany({ settings }: DefinitionFiles): string | undefined {
  const { startMonth = 1, namedBy = 'endDate' } = settings?.Company?.fiscalYear ?? {}
  if (settings?.Company?.fiscalYear === undefined) return undefined
  return writeXml('CompanySettings', {
    fiscalYear: {
      fiscalYearNameBasedOn: namedBy === 'startDate' ? 'StartingMonth' : 'EndingMonth',
      startMonth: MONTHS[startMonth - 1]!,
    },
  })
}

/** Writes definition files in source format, the inverse of its import. (docs/how-to/bring-your-schema.md) */
export function exportSourceFormat(definitions: DefinitionFiles): Exported {
  const files: ExportedFiles = new Map()
  const notes = new ExportNotes()
  const isPercent: KnownObjects['isPercent'] = (object, field) => {
    const standard = findStandardObject(object)
    const known =
      definitions.objects[object]?.fields?.[field] ?? standard?.fields.find(({ name }) => same(name, field))
    return known?.type !== undefined && FIELD_TYPES[known.type].formula?.isPercent === true
  }
  const recordTypes: KnownObjects['recordTypes'] = (object) => {
    const types = Object.entries(definitions.objects[object]?.recordTypes ?? {})
    return new Map(types.map(([name, type]) => [name, type?.label ?? makeLabel(name)]))
  }
  for (const [name, file] of Object.entries(definitions.objects)) {
    if (name === LABELS.type) files.set('labels/CustomLabels.labels-meta.xml', writeLabels(file ?? {}))
    else exportObject(name, file ?? {}, files, notes, { isPercent, recordTypes })
  }
  for (const [name, file] of Object.entries(definitions.valueSets))
    files.set(
      `globalValueSets/${name}.globalValueSet-meta.xml`,
      writeXml('GlobalValueSet', exportGlobalValueSet(name, file)),
    )
  for (const [name, file] of Object.entries(definitions.permissionSets ?? {}))
    files.set(
      `permissionsets/${makeFileName(name)}.permissionset-meta.xml`,
      writeXml('PermissionSet', exportPermissionSet(name, file ?? {}, notes)),
    )
  for (const [name, file] of Object.entries(definitions.profiles ?? {}))
    files.set(
      `profiles/${makeFileName(name)}.profile-meta.xml`,
      writeXml('Profile', exportProfile(name, file ?? {}, notes)),
    )
  exportChannels(definitions, files)
  const company = writeCompany(definitions)
  if (company !== undefined) files.set('settings/Company.settings-meta.xml', company)
  return { files, notes: notes.lines }
}
