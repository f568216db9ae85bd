import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where Objectry is, and which one. */
export interface Installation {
  /** Folder of the package or the checkout. */
  readonly root: URL
  readonly version: string
  /** The oldest Node.js that it runs on: `22.18`. */
  readonly neededNode: string
  /** Whether it has its sources: a checkout, which a bundle is made from. */
  readonly isCheckout: boolean
}

export function findInstallation(root: URL): Installation {
  const { version, engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  return {
    root,
    version,
    neededNode: engines.node.replace('>=', ''),
    isCheckout: existsSync(new URL('src', root)),
  }
}

/** What npm installs as Objectry in a new project: a range of versions, or the folder of the checkout. */
export const asDependency = ({ root, version, isCheckout }: Installation): string =>
  isCheckout ? `file:${fileURLToPath(root)}` : `^${version}`
