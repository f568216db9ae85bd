import { same } from '../definitions/checking.ts'
import type { FieldFile } from '../definitions/field-file.ts'
import type { DefinitionFiles, ObjectFile } from '../definitions/object-file.ts'
import type { NotePad } from './notes.ts'

/** `ns__Budget__c`: a field or object of a package, with its namespace prefix. */
const PREFIXED = /^([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)__(\w+)__([cr])$/

type Names = ReadonlyMap<string, string>

/** New names by lower-case old name. */
function makeNewNames(names: readonly string[]): Names {
  const taken = new Set(names.map((name) => name.toLowerCase()))
  const changed = new Map<string, string>()
  for (const name of names) {
    const match = PREFIXED.exec(name)
    if (match === null) continue
    const [, prefix, base, kind] = match
    const short = `${base}__${kind}`
    const plain = taken.has(short.toLowerCase()) ? `${prefix}_${base}__${kind}` : short
    taken.add(plain.toLowerCase())
    changed.set(name.toLowerCase(), plain)
  }
  return changed
}

/** The name of a package's field or object without its prefix, if no other has that name. */
export const withoutPrefix = (name: string) => name.replace(PREFIXED, '$2__$3')

const renamed = (names: Names, name: string) => names.get(name.toLowerCase()) ?? name

function renameKeys<V>(record: Readonly<Record<string, V>>, names: Names): Record<string, V> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [renamed(names, name), value]))
}

function renameIn(field: FieldFile, objects: Names, fields: Names): FieldFile {
  const { to, children, relationship, controller } = field
  const targets = typeof to === 'string' ? [to] : to
  return {
    ...field,
    ...(targets && { to: targets.map((name) => renamed(objects, name)) }),
    ...(children !== undefined && { children: withoutPrefix(children) }),
    ...(relationship !== undefined && { relationship: withoutPrefix(relationship) }),
    ...(controller !== undefined && { controller: renamed(fields, controller) }),
  }
}

function renameFields(object: string, file: ObjectFile, objects: Names, pad: NotePad): ObjectFile {
  const fields = makeNewNames(Object.keys(file.fields ?? {}))
  for (const name of Object.keys(file.fields ?? {})) {
    const plain = renamed(fields, name)
    if (!same(name, plain)) pad.add('name', `${object}.${name}`, `is ${plain}`)
  }
  const changed = Object.entries(file.fields ?? {}).map(
    ([name, field]) => [name, field && renameIn(field, objects, fields)] as const,
  )
  const recordTypes = Object.entries(file.recordTypes ?? {}).map(
    ([name, type]) =>
      [name, type?.picklists ? { ...type, picklists: renameKeys(type.picklists, fields) } : type] as const,
  )
  return {
    ...file,
    fields: renameKeys(Object.fromEntries(changed), fields),
    ...(file.recordTypes && { recordTypes: Object.fromEntries(recordTypes) }),
  }
}

/** Removes namespace prefixes, which names must not have. */
export function removePrefixes({ objects, valueSets }: DefinitionFiles, pad: NotePad): DefinitionFiles {
  const names = makeNewNames(Object.keys(objects))
  const changed = Object.entries(objects).map(([name, file]) => {
    const plain = renamed(names, name)
    if (!same(name, plain)) pad.add('name', name, `is ${plain}`)
    return [plain, file && renameFields(name, file, names, pad)] as const
  })
  return { objects: Object.fromEntries(changed), valueSets }
}
