import { drain } from '../../base/run-in-slices.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { DefinitionFiles, ObjectFile } from '../formats/object-file.ts'
import { type FoundSets, writeObject, writeValueSet } from './write-object.ts'

/** Makes the definition files of an org's objects, an object at a time. Reading them gives the same objects. */
export function* writeInSlices(objects: readonly ObjectDefinition[]): Generator<void, DefinitionFiles> {
  const sets: FoundSets = new Map()
  const files: Record<string, ObjectFile> = {}
  for (const object of objects) {
    // Share objects exist as long as the sharing model of their object requires them.
    if (object.shareOf !== undefined || object.historyOf !== undefined) continue
    const file = writeObject(object, sets)
    if (file !== undefined) files[object.name] = file
    yield
  }
  return {
    objects: files,
    valueSets: Object.fromEntries([...sets].map(([name, values]) => [name, writeValueSet(values)])),
  }
}

/** The same without a pause. */
export const writeDefinitions = (objects: readonly ObjectDefinition[]): DefinitionFiles =>
  drain(writeInSlices(objects))
