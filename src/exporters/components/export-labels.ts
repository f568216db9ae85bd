import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { ObjectFile, RecordFile } from '../../definitions/formats/object-file.ts'
import { LABELS } from '../../schema/definitions/definition.ts'
import type { ChildComponent, Component } from './component.ts'
import type { ExportNotes } from './export-notes.ts'

const FIELDS: readonly string[] = [LABELS.field, LABELS.categories, LABELS.language, LABELS.protected]

function exportLabel(
  fullName: string,
  { label = makeLabel(fullName), values = {} }: RecordFile,
): ChildComponent {
  const categories = values[LABELS.categories] ?? undefined
  return {
    type: 'CustomLabel',
    fullName,
    content: {
      ...(categories !== undefined && { categories }),
      language: values[LABELS.language] ?? 'en_US',
      protected: values[LABELS.protected] === true,
      shortDescription: label,
      value: String(values[LABELS.field] ?? ''),
    },
  }
}

/** The labels of the org, which the formats have in one file. */
export function exportLabels({ records = {}, fields = {} }: ObjectFile, notes: ExportNotes): Component {
  for (const field of Object.keys(fields))
    if (!FIELDS.includes(field))
      notes.add(`${LABELS.type}.${field}`, 'the format has no such property of a label')
  return {
    type: 'CustomLabels',
    fullName: 'CustomLabels',
    content: {},
    children: Object.entries(records).map(([fullName, record]) => exportLabel(fullName, record ?? {})),
  }
}
