import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { DefinitionFiles, ObjectFile } from './object-file.ts'
import { type FoundSets, writeObject, writeValueSet } from './write-object.ts'

/** The files that say what an org's objects are: reading them gives the same objects. */
export function writeDefinitions(objects: readonly ObjectDefinition[]): DefinitionFiles {
  const sets: FoundSets = new Map()
  const files: Record<string, ObjectFile> = {}
  for (const object of objects) {
    // They come and go with the sharing of theirs.
    if (object.shareOf !== undefined) continue
    const file = writeObject(object, sets)
    if (file !== undefined) files[object.name] = file
  }
  return {
    objects: files,
    valueSets: Object.fromEntries([...sets].map(([name, values]) => [name, writeValueSet(values)])),
  }
}
