import type { FieldFile } from '../definitions/formats/field-file.ts'
import type { DefinitionFiles, ObjectFile } from '../definitions/formats/object-file.ts'
import { isMetadataType } from '../schema/definitions/custom-name.ts'
import { STANDARD_OBJECTS } from '../standard/standard-objects.ts'
import type { NotePad } from './notes.ts'

/** The spelling of all objects after the import, by lower-case name. */
type Spelling = ReadonlyMap<string, string>

/** Replaces a reference by a text field for an id of another system, or for the name of a metadata record. */
function asText({ label, help, description, required }: FieldFile, length: number): FieldFile {
  return { type: 'string', length, label, help, description, required }
}

/** Limits a reference to existing targets. Without any it becomes a text field. */
function settle(field: FieldFile, location: string, objects: Spelling, pad: NotePad): FieldFile {
  const wanted = typeof field.to === 'string' ? [field.to] : (field.to ?? [])
  const there = wanted.flatMap((name) => objects.get(name.toLowerCase()) ?? [])
  const missing = wanted.filter((name) => !objects.has(name.toLowerCase()))
  if (there.length === 0) {
    const target = missing.length > 0 ? missing.join(', ') : 'an object that it does not name'
    const length = wanted.some(isMetadataType) ? 255 : 18
    pad.add('reference', location, `to ${target}: a text of ${length} characters now`)
    return asText(field, length)
  }
  if (missing.length > 0)
    pad.add('reference', location, `to ${missing.join(', ')}: to ${there.join(', ')} only`)
  const settled: FieldFile = { ...field, to: there }
  const wouldBeCleared =
    field.required && field.masterDetail === undefined && (field.onDelete ?? 'clear') === 'clear'
  // Records of metadata types are not deleted one by one.
  if (!wouldBeCleared || there.some(isMetadataType)) return settled
  pad.add('required', location, 'onDelete: restrict')
  return { ...settled, onDelete: 'restrict' }
}

/** Numbers the masters 0 and 1, whatever the source has. */
function countMasters(fields: (readonly [string, FieldFile | null])[]): Record<string, FieldFile | null> {
  const masters = fields
    .filter(([, field]) => field?.masterDetail !== undefined)
    .sort(([, a], [, b]) => a!.masterDetail! - b!.masterDetail!)
    .map(([name]) => name)
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const at = masters.indexOf(name)
      return [name, at === 0 || at === 1 ? { ...field, masterDetail: at } : field]
    }),
  )
}

/** Limits all references to objects that exist after the import. */
export function settleReferences(
  files: DefinitionFiles,
  pad: NotePad,
  known: DefinitionFiles,
): DefinitionFiles {
  const names = [
    ...STANDARD_OBJECTS.map(({ name }) => name),
    ...Object.keys(known.objects),
    ...Object.keys(files.objects),
  ]
  const objects: Spelling = new Map(names.map((name) => [name.toLowerCase(), name]))
  const settled = Object.entries(files.objects).map(([name, file]): [string, ObjectFile | null] => {
    if (!file?.fields) return [name, file]
    const fields = Object.entries(file.fields).map(
      ([field, value]) =>
        [field, value?.to !== undefined ? settle(value, `${name}.${field}`, objects, pad) : value] as const,
    )
    return [name, { ...file, fields: countMasters(fields) }]
  })
  return { ...files, objects: Object.fromEntries(settled) }
}
