import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { listPackages } from '../scripts/list-packages.ts'

/*
 * Builds the console into `dist`, with a packed file beside each asset: the server packs nothing itself. `npm ci` runs this
 * through `scripts/prepare.js`.
 */

const ROOT = import.meta.dirname

async function pack(file: string): Promise<void> {
  const bytes = readFileSync(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(`${file}.br`, brotli)
  writeFileSync(`${file}.gz`, gzipped)
}

/** Makes `console/dist`, instead of the one that is there. */
export async function buildConsole(): Promise<void> {
  const built = await build({ root: ROOT, configFile: join(ROOT, 'vite.config.ts'), logLevel: 'error' })
  const { output } = built as Rolldown.RolldownOutput
  const files = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
  writeFileSync(join(ROOT, 'dist/.packages.json'), JSON.stringify(listPackages(ROOT, files)))
  await Promise.all(globSync(join(ROOT, 'dist/assets/*.{js,css,svg}')).map(pack))
}

if (import.meta.main) await buildConsole()
