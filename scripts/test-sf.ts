import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Runs the tests of the sf command: `npm run test:sf`, or `npm run test:sf -- --folder ~/.cache/sf` to say where the
 * command is kept. It is hundreds of packages, so it is no dependency of ours: it is installed there when it is missing.
 * With OBJECTRY_SF that command is taken instead.
 */
const PACKAGE = '@salesforce/cli'
const VERSION = '2.150.6'

const { values } = parseArgs({ options: { folder: { type: 'string' } } })
const folder = resolve(values.folder ?? join(tmpdir(), `objectry-sf-cli-${VERSION}`))

function installedVersion(): string | undefined {
  const file = join(folder, 'node_modules', PACKAGE, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}

function install(): void {
  console.log(`Installing ${PACKAGE} ${VERSION} into ${folder}: about 700 packages, this takes a minute`)
  mkdirSync(folder, { recursive: true })
  // The npm that runs this script, on the Node that runs it; else the one in the path.
  const npm = process.env.npm_execpath
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync(command, [...first, ...args, `${PACKAGE}@${VERSION}`], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

function commandInFolder(): string {
  if (installedVersion() === VERSION) console.log(`Taking ${PACKAGE} ${VERSION} from ${folder}`)
  else install()
  return join(folder, 'node_modules/.bin/sf')
}

const env = { ...process.env, OBJECTRY_SF: process.env.OBJECTRY_SF ?? commandInFolder() }
const suite = [
  join(import.meta.dirname, 'test.ts'),
  'test/clients/sf.test.ts',
  'test/clients/sf-bulk.test.ts',
  'test/clients/sf-deploy.test.ts',
  'test/clients/sf-org.test.ts',
  'test/clients/sf-streaming.test.ts',
  'test/clients/sf-trees.test.ts',
  'test/clients/sf-login-web.test.ts',
]
const { status } = spawnSync(process.execPath, suite, { env, stdio: 'inherit' })
process.exit(status ?? 1)
