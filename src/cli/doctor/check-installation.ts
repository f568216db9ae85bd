import { existsSync } from 'node:fs'
import type { Installation } from '../command/installation.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** The bundle starts faster than the sources, and an old one of a checkout is not used. */
async function checkBundle({ root, isCheckout }: Installation): Promise<Finding> {
  const { findBundle } = await import(new URL('bin/find-bundle.js', root).href)
  if (findBundle() !== undefined) return ok('bundle', 'there and fresh')
  return isCheckout
    ? warning('bundle', 'not there, or older than the sources: starts take longer', 'npm run prepare')
    : problem('bundle', 'incomplete', 'Install Objectry again.')
}

function checkConsole({ root, isCheckout }: Installation): Finding {
  const folders = ['console/dist', 'build/console'].filter((folder) =>
    existsSync(new URL(`${folder}/index.html`, root)),
  )
  if (folders.length > 0) return ok('console', 'built')
  return isCheckout
    ? warning('console', 'not built: /console/ answers 404', 'npm run console:build')
    : problem('console', 'not there', 'Install Objectry again.')
}

/** Files of the package itself. */
export const checkInstallation = async (installation: Installation): Promise<readonly Finding[]> => [
  ok('Objectry', installation.version),
  // An older one than is needed does not come so far.
  ok('Node.js', process.versions.node),
  await checkBundle(installation),
  checkConsole(installation),
]
