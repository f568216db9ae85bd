import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Names the files that a bundle was made from, and their hash. */
const MANIFEST = 'build/bundle.json'

/** npm writes here what is installed. Packages are part of the bundle. */
const INSTALLED = 'node_modules/.package-lock.json'

/**
 * The contents of files as one hash.
 * @param {string} root the checkout
 * @param {readonly string[]} files paths below the root
 */
export function hashFiles(root, files) {
  const hash = createHash('sha256')
  for (const file of [...files, INSTALLED]) {
    const path = join(root, file)
    // Other package managers leave no such file.
    if (file === INSTALLED && !existsSync(path)) continue
    hash.update(`${file}\0`).update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}

/** @param {string} root */
function isFresh(root) {
  // The published package has no sources: nothing can have changed.
  if (!existsSync(join(root, 'src'))) return true
  const { files, hash } = JSON.parse(readFileSync(join(root, MANIFEST), 'utf8'))
  return hashFiles(root, files) === hash
}

/**
 * The command in the bundle; undefined: there is none, or its sources have changed since it was made.
 * @returns {string | undefined}
 */
export function findBundle(root = ROOT) {
  try {
    return isFresh(root) && existsSync(join(root, MANIFEST))
      ? join(root, 'build/server/objectry.js')
      : undefined
  } catch {
    // No bundle, half of one, or one of files that are gone.
    return undefined
  }
}
