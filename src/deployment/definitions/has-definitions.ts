import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of a deployment, by the kind of their files. */
export const FOLDERS = { objects: 'objects', valueSets: 'value-sets' } as const

/** Whether a deployment has definition files. Lets callers skip loading the modules that parse them. */
export function hasDefinitions(deployment: string): boolean {
  return Object.values(FOLDERS).some((folder) => existsSync(join(deployment, folder)))
}
