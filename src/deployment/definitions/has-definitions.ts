import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of a deployment and what their files are. */
export const FOLDERS = { objects: 'objects', valueSets: 'value-sets' } as const

/** Whether a deployment says anything about objects. Asked before what reads definitions is loaded: it is not small. */
export function hasDefinitions(deployment: string): boolean {
  return Object.values(FOLDERS).some((folder) => existsSync(join(deployment, folder)))
}
