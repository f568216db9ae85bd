import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'

/*
 * Packs Objectry as it would be published and uses it as a newcomer does, on several versions of Node: installs it in an empty
 * project, starts it, runs a test with an org of its own, and checks that code with its types compiles. Prints the time of each step.
 *
 * `npm run test:package [-- --node 20,22,24]`; it downloads these versions of Node from npm, and the dependencies.
 */

const { values: options } = parseArgs({ options: { node: { type: 'string', default: '20,22,24' } } })

const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'objectry-package-'))
const run = promisify(execFile)
const STEP_TIMEOUT_MS = 120_000
const execute: typeof run = ((command: string, args: string[], more = {}) =>
  run(command, args, { timeout: STEP_TIMEOUT_MS, ...more })) as never

/** The oldest major version that the package runs on. */
const OLDEST = 22

const TEST = `
import assert from 'node:assert/strict'
import { startOrg } from 'objectry/test'

const org = await startOrg({ deployment: 'deployment' })
const { status, body } = await org.call('POST', '/sobjects/Trip__c', { Name: 'Spring', Days__c: 3 })
assert.equal(status, 201, JSON.stringify(body))
const { body: trip } = await org.call('GET', '/sobjects/Trip__c/' + body.id)
assert.equal(trip.Twice__c, 6)
const hello = await org.call('GET', '/services/customrest/hello/world')
assert.deepEqual([hello.status, hello.body], [202, { hello: 'world' }])
assert.equal((await fetch(org.siteUrl + '/services/customrest/hello/world')).status, 403)
await org.restore()
const { body: result } = await org.call('GET', '/query?q=SELECT+COUNT()+FROM+Trip__c')
assert.equal(result.totalSize, 0)
await org.stop()
`

const RESOURCE = `
import { reply } from 'objectry'
export default { path: '/hello/:name', GET: ({ params }: { params: { name: string } }) => reply(202, { hello: params.name }) }
`

/** Runs a step and prints how long it took. */
async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await work()
  process.stdout.write(`  ${((performance.now() - began) / 1000).toFixed(2).padStart(6)} s  ${name}\n`)
  return result
}

const fail = (what: string): never => {
  throw new Error(what)
}

/** An empty folder, in which a version of Node comes first. */
interface Machine {
  readonly node: string
  readonly env: NodeJS.ProcessEnv
}

async function getNode(major: string): Promise<Machine> {
  const place = join(folder, `node-${major}`)
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{"private":true}')
  await execute('npm', ['install', '--no-audit', '--no-fund', `node@${major}`], { cwd: place })
  const bin = join(place, 'node_modules/node/bin')
  // Nothing of this project's settings reaches the newcomer.
  const own = ([name]: [string, unknown]) => /^(OBJECTRY_|DATABASE_URL$|(SITE_)?PORT$)/.test(name)
  const env = Object.fromEntries(Object.entries(process.env).filter((entry) => !own(entry)))
  return { node: join(bin, 'node'), env: { ...env, PATH: `${bin}${delimiter}${env.PATH}` } }
}

function writeProject(project: string): void {
  for (const name of ['objects', 'resources'])
    mkdirSync(join(project, 'deployment', name), { recursive: true })
  const write = (path: string, text: string) => writeFileSync(join(project, path), text)
  write(
    'deployment/objects/Trip__c.yaml',
    'fields: { Days__c: { type: int }, Twice__c: { type: int, computed: true } }',
  )
  write(
    'deployment/objects/Trip__c.ts',
    'export default { computed: { Twice__c: ({ Days__c }: { Days__c: number }) => Days__c * 2 } }',
  )
  write('deployment/resources/hello.ts', RESOURCE)
  write('test.ts', TEST)
}

/** `npx objectry` until it serves; then its first token. */
async function serve({ env }: Machine, project: string, cwd: string): Promise<void> {
  const command = join(project, 'node_modules/.bin/objectry')
  const child = spawn(command, [], { cwd, env: { ...env, PORT: '0', SITE_PORT: '0' } })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const timeout = setTimeout(() => child.kill('SIGKILL'), 60_000)
  let printed = ''
  child.stderr.on('data', (data) => {
    printed += data
  })
  let address: string | undefined
  for await (const line of createInterface(child.stdout)) {
    printed += `${line}\n`
    address ??= /ready at (\S+)/.exec(line)?.[1]
    if (/Try it:|Get a token/.test(line)) break
  }
  if (address === undefined) fail(`the server did not start:\n${printed}`)
  const { status } = await fetch(`${address}/services/data/`)
  if (status !== 200) fail(`the server answers ${status}`)
  child.kill('SIGTERM')
  clearTimeout(timeout)
  await ended
}

/** Checks that an old Node gets one line, from every entry. */
async function isRefused({ node, env }: Machine, project: string): Promise<void> {
  for (const args of [['node_modules/objectry/bin/objectry.js'], ['test.mjs']]) {
    const told = await execute(node, args, { cwd: project, env }).then(
      ({ stdout }) => stdout,
      ({ stderr }) => stderr,
    )
    if (!/Objectry needs Node\.js [\d.]+ or newer, and this is [\d.]+/.test(told)) fail(`it says ${told}`)
  }
}

async function checkTypes(project: string): Promise<void> {
  const compiler = join(ROOT, 'node_modules/.bin/tsc')
  const args = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom']
  writeFileSync(
    join(project, 'typed.ts'),
    "import { startOrg } from 'objectry/test'\nimport { HttpError, reply } from 'objectry'\n" +
      'const org = await startOrg()\nconst url: string = org.url\nexport { HttpError, reply, url }\n',
  )
  await execute(compiler, [...args, '--types', '', 'typed.ts'], { cwd: project }).catch(({ stdout }) =>
    fail(stdout),
  )
}

async function play(major: string, packed: string): Promise<void> {
  const machine = await getNode(major)
  const { node, env } = machine
  const { stdout: version } = await execute(node, ['--version'])
  process.stdout.write(`Node ${version}`)
  const project = join(folder, `project-${major}`)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"name":"trial","private":true,"type":"module"}')
  writeProject(project)
  writeFileSync(join(project, 'test.mjs'), "await import('objectry/test')")
  await step('npm install objectry', () =>
    execute('npm', ['install', '--no-audit', '--no-fund', packed], { cwd: project, env }),
  )
  if (Number(major) < OLDEST) return step('it says which Node it needs', () => isRefused(machine, project))
  const empty = join(folder, `empty-${major}`)
  mkdirSync(empty)
  await step('npx objectry, the first time', () => serve(machine, project, empty))
  await step('npx objectry, the second time', () => serve(machine, project, empty))
  if (!readdirSync(empty).includes('.objectry')) fail('nothing is kept')
  for (const time of ['first', 'second'])
    await step(`a test with an org, the ${time} time`, () =>
      execute(node, ['test.ts'], { cwd: project, env }),
    )
  await step('code with its types compiles', () => checkTypes(project))
}

try {
  const pack = ['pack', '--json', '--pack-destination', folder]
  const { stdout } = await execute('npm', pack, { cwd: ROOT, maxBuffer: 2 ** 24 })
  const [{ filename, size, unpackedSize }] = JSON.parse(stdout)
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  process.stdout.write(`${filename}: ${megabytes(size)} MB, ${megabytes(unpackedSize)} MB unpacked\n`)
  for (const major of options.node.split(',')) await play(major, join(folder, filename))
} finally {
  rmSync(folder, { recursive: true })
}
