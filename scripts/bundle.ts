import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { hashFiles } from '../bin/find-bundle.js'
import { sql } from '../src/base/sql.ts'
import { prepareOrg } from '../src/orgs/provision-org.ts'
import { imageName } from '../src/storage/embedded/built-image.ts'
import { openPglite } from '../src/storage/embedded/pglite.ts'
import { migrate } from '../src/storage/migrate.ts'
import { listPackages } from './list-packages.ts'

/*
 * Makes the bundle of the server: a few files instead of 1,750 modules. `npm ci` runs this through `prepare.js`, and
 * `bin/objectry.js` uses the bundle while its sources are unchanged.
 */

const ROOT = join(import.meta.dirname, '..')

/** Programs that run by themselves, by their files in the bundle. Files that find each other by name keep their distance. */
const ENTRIES = {
  'server/objectry': 'src/cli/objectry.ts',
  'server/engine-thread': 'src/storage/embedded/engine-thread.ts',
  'server/handler-thread': 'src/scripting/threads/handler-thread.ts',
  'server/watchdog-thread': 'src/watchdog/watchdog-thread.ts',
  'sdk/objectry': 'src/scripting/sdk/objectry.ts',
  'testkit/start-org': 'src/testkit/start-org.ts',
}

/** Packages with files beside their code, and an optional one of `pg` that is not installed. */
const EXTERNAL = ['@electric-sql/pglite', '@faker-js/faker', '@node-rs/argon2', 'pg-native']

/** Names that modules in CommonJS expect around them. */
const COMMONJS = [
  "import { createRequire as bundleCreateRequire } from 'node:module'",
  'const require = bundleCreateRequire(import.meta.url)',
  'const __filename = import.meta.filename, __dirname = import.meta.dirname',
].join(';')

/** The image, which a first start would make again and again: a database with the tables of an org. Nothing in it is of an org. */
const imageSql = {
  // The engine has one database and makes no copies of these, which are two thirds of its files.
  dropTemplates: [
    sql`update pg_database set datistemplate = false`,
    sql`drop database template0`,
    sql`drop database template1`,
  ],
  checkpoint: sql`checkpoint`,
}

async function makeImage(folder: string): Promise<void> {
  const engine = await openPglite(undefined)
  try {
    await migrate(engine.db)
    await prepareOrg(engine.db)
    for (const statement of imageSql.dropTemplates) await engine.db.query(statement)
    await engine.db.query(imageSql.checkpoint)
    writeFileSync(join(folder, imageName()), zstdCompressSync(await engine.dumpImage()))
  } finally {
    await engine.close()
  }
}

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
      target: 'node22',
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
    await makeImage(join(draft, 'server')).catch((error) =>
      console.warn(
        `First starts create their database, which takes longer: no image could be made (${error}).`,
      ),
    )
    // For those who look for releases with known faults, and for the bill of materials.
    const packages = listPackages(root, Object.keys(metafile.inputs))
    const manifest = { hash: hashFiles(root, files), files, packages }
    writeFileSync(join(draft, 'bundle.json'), JSON.stringify(manifest))
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

if (import.meta.main) await makeBundle()
