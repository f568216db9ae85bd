import { MAX_RECORDS } from '../../definitions/checks/checking.ts'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { ObjectFile, RecordFile } from '../../definitions/formats/object-file.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { Project } from './fields/field-source.ts'
import type { MetadataElement } from './project/metadata-element.ts'
import type { SourceObject } from './project/source-object.ts'

type Value = NonNullable<RecordFile['values']>[string]

/** Values are written as texts there. What is not valid stays as it is, and is noted when it is left out. */
function readValue(field: FieldFile | null | undefined, text: string | undefined): Value {
  if (text === undefined) return null
  const kind = field?.type && FIELD_TYPES[field.type].parameter
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  const isNumber = kind === 'numeric' || kind === 'integer'
  return isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function importRecord(
  type: string,
  xml: MetadataElement,
  fields: NonNullable<ObjectFile['fields']>,
  { pad }: Project,
): RecordFile | null {
  const values = xml.all('values').flatMap((entry): [string, Value][] => {
    const [name, text] = [entry.text('field') ?? '', entry.text('value')]
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const value = readValue(field, text)
    // Without a default a field that is not there is empty, too.
    return value === null && field?.default === undefined ? [] : [[name, value]]
  })
  const label = xml.text('label')
  for (const unread of xml.unread()) pad.collect('display', type, unread)
  if (label === undefined && values.length === 0) return null
  return {
    ...(label !== undefined && { label }),
    ...(values.length > 0 && { values: Object.fromEntries(values) }),
  }
}

/** The records of a metadata type, one at a time. */
export function* importRecords(
  { name, records }: SourceObject,
  fields: NonNullable<ObjectFile['fields']>,
  project: Project,
): Generator<void, ObjectFile> {
  if (records.size === 0) return {}
  const there = new Set(Object.keys(project.kept(name)?.records ?? {}))
  const imported: [string, RecordFile | null][] = []
  for (const [record, xml] of records) {
    // Before it is read: that takes longer the more there are.
    if (there.size >= MAX_RECORDS && !there.has(record)) {
      const type = name.replace(/__mdt$/, '')
      project.pad.add(
        'refused',
        `record ${type}.${record}`,
        `the type would have more than ${MAX_RECORDS} records`,
      )
      yield
      continue
    }
    there.add(record)
    imported.push([record, importRecord(name, xml, fields, project)])
    yield
  }
  return { records: Object.fromEntries(imported) }
}
