import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Removes the files and folders in a folder that were last written longer ago than that.
 * @param life in milliseconds
 */
export function removeOldFiles(folder: string, life: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > life) rmSync(path, { recursive: true, force: true })
  }
}
