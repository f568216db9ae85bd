import type { DefinitionFiles } from '../definitions/formats/object-file.ts'
import type { Note } from './note.ts'

/** The result of an import: definition files, and notes about everything that differs from the source. */
export interface Imported {
  readonly files: DefinitionFiles
  readonly notes: readonly Note[]
}

/** A deployment without definition files. */
export const NO_FILES: DefinitionFiles = { objects: {}, valueSets: {} }

/** Merges definition files. The second wins where both have a file. */
export function merge(first: DefinitionFiles, second: DefinitionFiles): DefinitionFiles {
  return {
    objects: { ...first.objects, ...second.objects },
    valueSets: { ...first.valueSets, ...second.valueSets },
    permissionSets: { ...first.permissionSets, ...second.permissionSets },
    profiles: { ...first.profiles, ...second.profiles },
    settings: { ...first.settings, ...second.settings },
  }
}
