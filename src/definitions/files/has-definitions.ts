import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of a deployment, by the kind of their files. */
export const FOLDERS = {
  objects: 'objects',
  valueSets: 'value-sets',
  permissionSets: 'permission-sets',
  profiles: 'profiles',
  settings: 'settings',
} as const

export type DefinitionKind = keyof typeof FOLDERS

export const DEFINITION_KINDS = Object.keys(FOLDERS) as DefinitionKind[]

/** True if a deployment has definition files. Lets callers skip loading the modules that parse them. */
export function hasDefinitions(deployment: string): boolean {
  return Object.values(FOLDERS).some((folder) => existsSync(join(deployment, folder)))
}
