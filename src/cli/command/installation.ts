import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findPackageRoot, readProductVersion } from '../../base/package-root.ts'

/** Where Objectry is, and which one. */
export interface Installation {
  /** Folder of the package or the checkout. */
  readonly root: URL
  readonly version: string
  /** True if it has its sources: a checkout, which a bundle is made from. */
  readonly isCheckout: boolean
}

export function findInstallation(): Installation {
  const root = pathToFileURL(`${findPackageRoot()}/`)
  return { root, version: readProductVersion(), isCheckout: existsSync(new URL('src', root)) }
}

/** npm's notes on an installed package. */
interface InstalledPackages {
  readonly packages: Readonly<Record<string, { readonly resolved?: string }>>
}

/** The packed package that npm installed this one from, if it did and the file is still there. */
function findPackedFile(folder: string): string | undefined {
  const modules = dirname(folder)
  const notes = resolve(modules, '.package-lock.json')
  if (!existsSync(notes)) return undefined
  const { packages } = JSON.parse(readFileSync(notes, 'utf8')) as InstalledPackages
  const resolved = packages['node_modules/objectry']?.resolved
  if (resolved?.startsWith('file:') !== true) return undefined
  const file = resolve(dirname(modules), resolved.slice('file:'.length))
  return existsSync(file) ? file : undefined
}

/** Package specifier of Objectry for a new project: the folder of the checkout, the file of the package, or a range of versions. */
export function asDependency({ root, version, isCheckout }: Installation): string {
  const folder = fileURLToPath(root)
  const file = isCheckout ? folder : findPackedFile(folder)
  return file === undefined ? `^${version}` : `file:${file}`
}
