// Run by `npm ci`: makes what shortens a start, and the console. It is JavaScript for any version of Node, and never fails an
// installation: without a bundle, the sources run; without a console, the server has none.
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/**
 * @param {() => Promise<void>} make
 * @param {string} otherwise
 */
async function attempt(make, otherwise) {
  try {
    await make()
  } catch (error) {
    console.warn(`${otherwise} (${String(error).split('\n')[0]}).`)
  }
}

await attempt(async () => {
  const { makeBundle } = await import('./bundle.ts')
  await makeBundle()
}, 'Objectry starts from its sources, which takes longer: no bundle could be made')

if (existsSync(join(ROOT, 'console')))
  await attempt(async () => {
    const { buildConsole } = await import('../console/build.ts')
    await buildConsole()
    // The build holds everything that is published.
    cpSync(join(ROOT, 'console/dist'), join(ROOT, 'build/console'), { recursive: true })
  }, 'The server has no console: it could not be built')

// `npm run docs:build` makes it: that takes half a minute.
const site = join(ROOT, 'site/dist')
if (existsSync(site)) cpSync(site, join(ROOT, 'build/site'), { recursive: true })
