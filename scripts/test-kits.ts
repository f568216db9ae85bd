import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/*
 * Runs the examples of `examples/testing` that need more than Node.js as somebody who copied them: with the package as it would be published,
 * and with the newest Vitest, Jest and Testcontainers. pytest runs where Python has it, Testcontainers where there is Docker, or something that takes
 * its calls and has the image that OBJECTRY_IMAGE names. `npm run test:kits`; it downloads them from npm.
 */

const ROOT = join(import.meta.dirname, '..')
const TIMEOUT_MS = 300_000

const folder = mkdtempSync(join(tmpdir(), 'objectry-kits-'))
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
}

const run = promisify(execFile)
const execute = (command: string, args: readonly string[], cwd = folder) =>
  run(command, args, { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 })

/** Runs the tests of a kit and prints what their runner says; it must end with success. */
async function runKit(name: string, command: string, args: readonly string[]): Promise<void> {
  process.stdout.write(`--- ${name}\n`)
  const began = performance.now()
  const { stdout, stderr } = await execute(command, args, join(folder, 'examples/testing', name))
  process.stdout.write(`${stdout}${stderr}${((performance.now() - began) / 1000).toFixed(1)} s\n`)
}

/** The image for Testcontainers. Undefined: there is no Docker that could make one. */
async function makeImage(): Promise<string | undefined> {
  const { OBJECTRY_IMAGE: given } = process.env
  if (given !== undefined) return given
  const hasDocker = await execute('docker', ['version']).then(
    () => true,
    () => false,
  )
  if (!hasDocker) return undefined
  await execute('docker', ['build', '-f', 'examples/docker/Dockerfile', '-t', 'objectry', '.'], ROOT)
  return 'objectry'
}

/** Compiles the TypeScript of a kit as a strict project does. */
async function compileKit(name: string): Promise<void> {
  process.stdout.write(`--- ${name}: types\n`)
  const files = globSync('*.ts', { cwd: join(folder, 'examples/testing', name) })
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node']
  const checks = ['--allowImportingTsExtensions', '--erasableSyntaxOnly', '--skipLibCheck']
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await execute(
    process.execPath,
    [tsc, ...options, ...checks, ...files],
    join(folder, 'examples/testing', name),
  )
}

try {
  const pack = ['pack', '--json', '--pack-destination', folder]
  const { stdout } = await execute('npm', pack, ROOT)
  const [{ filename }] = JSON.parse(stdout)
  writeFileSync(join(folder, 'package.json'), '{"name":"kits","private":true,"type":"module"}')
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  // Jest reads this folder by `require`, so it is CommonJS.
  writeFileSync(join(folder, 'examples/testing/jest/package.json'), '{"private":true}')
  process.stdout.write('--- npm install\n')
  const wanted = [
    join(folder, filename),
    'jsforce',
    'vitest@latest',
    'jest@latest',
    'testcontainers@latest',
    '@types/node@24',
  ]
  await execute('npm', ['install', '--no-audit', '--no-fund', ...wanted])
  const bin = join(folder, 'node_modules/.bin')
  await runKit('vitest', join(bin, 'vitest'), ['run'])
  await runKit('jest', join(bin, 'jest'), [])
  for (const name of ['vitest', 'testcontainers']) await compileKit(name)
  const image = await makeImage()
  if (image === undefined) process.stdout.write('--- testcontainers: skipped, there is no Docker\n')
  else {
    env.OBJECTRY_IMAGE = image
    await runKit('testcontainers', join(bin, 'vitest'), ['run'])
  }
  const python = await execute('python3', ['-m', 'pytest', '--version']).catch(() => undefined)
  if (python === undefined) process.stdout.write('--- pytest: skipped, Python or pytest is not installed\n')
  else await runKit('pytest', 'python3', ['-m', 'pytest', '-v', '-rs', '-p', 'no:cacheprovider'])
} catch (error) {
  const { stdout, stderr } = error as { stdout?: string; stderr?: string }
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}\n`)
  throw error
} finally {
  rmSync(folder, { recursive: true, force: true })
}
