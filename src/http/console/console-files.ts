import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPackageRoot } from '../../base/package-root.ts'
import { BuiltFiles } from './built-files.ts'

const PAGE = 'index.html'

export const isBuilt = (folder: string) => existsSync(join(folder, PAGE))

/** Where something was built to, in a checkout or in the published package; undefined: it is not built. */
export function findBuilt(...folders: readonly string[]): string | undefined {
  const root = findPackageRoot()
  return folders.map((folder) => join(root, folder)).find(isBuilt)
}

/** The built console. */
export class ConsoleFiles extends BuiltFiles {
  /** The page, with places for the nonce. */
  readonly page: string

  constructor(folder: string) {
    super(folder)
    this.page = readFileSync(join(folder, PAGE), 'utf8')
  }
}

/**
 * @param folder with the built console; default where the build puts it
 * @returns undefined: the console is not built
 */
export function openConsoleFiles(
  folder = findBuilt('console/dist', 'build/console'),
): ConsoleFiles | undefined {
  return folder !== undefined && isBuilt(folder) ? new ConsoleFiles(folder) : undefined
}
