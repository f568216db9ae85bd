import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the checkout or of the installed package: the first one above with a package.json, in sources and bundle alike. */
export function findPackageRoot(): string {
  let root = import.meta.dirname
  while (!existsSync(join(root, 'package.json')) && dirname(root) !== root) root = dirname(root)
  return root
}

/** The version of Objectry: `0.1.0`. */
export const readProductVersion = (): string =>
  JSON.parse(readFileSync(join(findPackageRoot(), 'package.json'), 'utf8')).version
