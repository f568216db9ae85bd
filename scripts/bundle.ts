import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { hashFiles } from '../bin/find-bundle.js'

/*
 * Makes the bundle of the server: a few files instead of 1,750 modules. `npm ci` runs this through `prepare.js`, and
 * `bin/objectry.js` uses the bundle while its sources are unchanged.
 */

const ROOT = join(import.meta.dirname, '..')

/** What runs by itself, by its file in the bundle. Files that find each other by name keep their distance. */
const ENTRIES = {
  'server/objectry': 'src/cli/objectry.ts',
  'server/engine-thread': 'src/storage/embedded/engine-thread.ts',
  'server/handler-thread': 'src/scripting/threads/handler-thread.ts',
  'server/watchdog-thread': 'src/watchdog/watchdog-thread.ts',
  'sdk/objectry': 'src/scripting/sdk/objectry.ts',
}

/** Packages with files beside their code, and an optional one of `pg` that is not installed. */
const EXTERNAL = ['@electric-sql/pglite', '@faker-js/faker', 'pg-native']

/** What modules in CommonJS expect around them. */
const COMMONJS = [
  "import { createRequire as bundleCreateRequire } from 'node:module'",
  'const require = bundleCreateRequire(import.meta.url)',
  'const __filename = import.meta.filename, __dirname = import.meta.dirname',
].join(';')

/** Makes the bundle in `build`, instead of the one that is there. */
export async function makeBundle(root = ROOT): Promise<void> {
  const folder = join(root, 'build')
  // A server that starts meanwhile runs the sources.
  rmSync(folder, { recursive: true, force: true })
  const draft = join(root, `build-${process.pid}`)
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: ENTRIES,
      outdir: draft,
      chunkNames: 'server/[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      external: EXTERNAL,
      banner: { js: COMMONJS },
      // Less text is less memory. Names stay, for stack traces; short lines, for what Node prints of a crash.
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 200,
      sourcemap: 'linked',
      sourcesContent: false,
      metafile: true,
      logLevel: 'error',
    })
    const inputs = Object.keys(metafile.inputs).filter((file) => file.startsWith('src/'))
    const files = ['package.json', 'scripts/bundle.ts', ...inputs.sort()]
    mkdirSync(draft, { recursive: true })
    writeFileSync(join(draft, 'bundle.json'), JSON.stringify({ hash: hashFiles(root, files), files }))
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

if (import.meta.main) await makeBundle()
