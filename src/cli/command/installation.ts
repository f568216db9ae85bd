import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findPackageRoot, readProductVersion } from '../../base/package-root.ts'

/** Where Objectry is, and which one. */
export interface Installation {
  /** Folder of the package or the checkout. */
  readonly root: URL
  readonly version: string
  /** Whether it has its sources: a checkout, which a bundle is made from. */
  readonly isCheckout: boolean
}

export function findInstallation(): Installation {
  const root = pathToFileURL(`${findPackageRoot()}/`)
  return { root, version: readProductVersion(), isCheckout: existsSync(new URL('src', root)) }
}

/** What npm installs as Objectry in a new project: a range of versions, or the folder of the checkout. */
export const asDependency = ({ root, version, isCheckout }: Installation): string =>
  isCheckout ? `file:${fileURLToPath(root)}` : `^${version}`
