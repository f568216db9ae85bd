import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { ON_EMBEDDED } from '../support/engine.ts'
import { makeDataFolder, startServer } from '../support/server-process.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const EXAMPLES = join(ROOT, 'examples')

const run = promisify(execFile)

describe('the examples of tests run as they stand:', ON_EMBEDDED, () => {
  test('startOrg with a client, in a project that has Objectry installed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'objectry-example-'))
    try {
      cpSync(EXAMPLES, join(folder, 'examples'), { recursive: true })
      // An installed package, with the sources in the place of its build.
      const installed = join(folder, 'node_modules/objectry')
      mkdirSync(installed, { recursive: true })
      writeFileSync(join(installed, 'package.json'), '{"type":"module","exports":{"./test":"./test.js"}}')
      const sdk = pathToFileURL(join(ROOT, 'src/testkit/start-org.ts')).href
      writeFileSync(join(installed, 'test.js'), `export * from '${sdk}'\n`)
      symlinkSync(join(ROOT, 'node_modules/jsforce'), join(folder, 'node_modules/jsforce'))
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
      const env = { PATH: process.env.PATH }
      const args = ['--test', '--test-reporter=tap', 'examples/testing/projects.test.ts']
      const { stdout } = await run(process.execPath, args, { cwd: folder, env })
      assert.match(stdout, /^# pass 3$/m)
      assert.match(stdout, /^# fail 0$/m)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('the steps of the workflow, against a server', async () => {
    const { data, remove } = makeDataFolder()
    const { env, jobs } = parse(readFileSync(join(EXAMPLES, 'ci/github-action.yml'), 'utf8'))
    const { OBJECTRY_CLIENT_ID, OBJECTRY_CLIENT_SECRET } = env
    const server = await startServer({ OBJECTRY_DATA: data, OBJECTRY_CLIENT_ID, OBJECTRY_CLIENT_SECRET })
    const folder = mkdtempSync(join(tmpdir(), 'objectry-workflow-'))
    try {
      // The project's own steps stand for themselves, and the server runs already. What the runner passes on between
      // steps goes by a file.
      const steps: { run?: string }[] = jobs.npx.steps
      const ours = steps.flatMap(({ run: script }) => (script?.includes('$URL') ? [script] : []))
      assert.equal(ours.length, 4)
      const file = join(folder, 'env')
      const script = ours
        .map((text) => text.replace(/^npx .*$/m, ''))
        .map((text) => `${text}\nif [ -f "$GITHUB_ENV" ]; then . "$GITHUB_ENV"; fi`)
        .join('\n')
      const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', script], {
        env: { PATH: process.env.PATH, ...env, URL: server.address, GITHUB_ENV: file },
      })
      assert.match(
        stdout,
        /\{"name":"clean","records":\d+\}\{"name":"clean","records":\d+,"schemaVersion":1\}$/,
      )
    } finally {
      await server.end('SIGTERM')
      remove()
      rmSync(folder, { recursive: true })
    }
  })

  test('curl, against a server', async () => {
    const { data, remove } = makeDataFolder()
    const app = { OBJECTRY_CLIENT_ID: 'tests', OBJECTRY_CLIENT_SECRET: 'a secret & more' }
    const server = await startServer({ OBJECTRY_DATA: data, ...app })
    try {
      const env = { PATH: process.env.PATH, URL: server.address, ...app }
      const { stdout } = await run('sh', [join(EXAMPLES, 'testing/curl.sh')], { env })
      const lines = [
        'accounts before: 0',
        'the account: {"Name":"Acme","Industry":"Energy","Id":',
        'accounts now: 1',
        'accounts after: 0',
      ]
      const said = stdout.trimEnd().split('\n')
      assert.deepEqual(
        said.map((line, at) => line.slice(0, lines[at]?.length)),
        lines,
      )
    } finally {
      await server.end('SIGTERM')
      remove()
    }
  })
})
