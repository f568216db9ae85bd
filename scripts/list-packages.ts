import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The npm packages that files belong to, with their versions, by name.
 * @param files paths, absolute or below the root
 */
export function listPackages(root: string, files: readonly string[]): Record<string, string> {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
  const read = (folder: string) => {
    const path = join(folder.startsWith('/') ? '' : root, folder, 'package.json')
    return JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string }
  }
  const packages = [...new Set(folders)].map(read)
  return Object.fromEntries(packages.map(({ name, version }): [string, string] => [name, version]).sort())
}
