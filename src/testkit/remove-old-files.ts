import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Removes the files of a folder that were last written longer ago than that.
 * @param life in milliseconds
 */
export function removeOldFiles(folder: string, life: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile() && Date.now() - statSync(path).mtimeMs > life) rmSync(path, { force: true })
  }
}
