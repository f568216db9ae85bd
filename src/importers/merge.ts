import type { DefinitionFiles } from '../definitions/formats/object-file.ts'

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
