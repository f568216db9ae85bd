// Read by every version of Node since 14, so nothing newer may stand here.
import { readFileSync } from 'node:fs'

const PACKAGE = new URL('../package.json', import.meta.url)

/**
 * What to do where this Node is older than Objectry needs, in one line; undefined: it is new enough.
 * @returns {string | undefined}
 */
export function findNodeProblem() {
  const needed = JSON.parse(readFileSync(PACKAGE, 'utf8')).engines.node.replace('>=', '')
  const [major, minor] = needed.split('.').map(Number)
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return undefined
  return (
    `Objectry needs Node.js ${needed} or newer, and this is ${process.versions.node}. ` +
    'Install a newer one from https://nodejs.org, or let npm bring one: npx -p node@24 -p objectry objectry'
  )
}
