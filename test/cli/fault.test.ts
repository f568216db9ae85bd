import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder, startServer } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* `objectry fault` as people run it. */

const files = writeDeployment({
  'faults.yaml': `short-pages:
  match: { route: /query }
  effect: { pageRows: 7 }
`,
  'wrong.yaml': `fine:
  effect: { latency: 5 }
odd:
  match:
    methd: GET
  effect: { status: 503 }
`,
})
const file = (name: string) => join(files, name)

describe('objectry fault', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const run = (...args: string[]) => runCommand(['fault', ...args], { OBJECTRY_DATA: folder.data })
  let server: Objectry

  async function say(...args: string[]): Promise<string> {
    const { code, out, error } = await run(...args)
    assert.deepEqual([code, error], [0, ''])
    return out
  }

  const refusedWith =
    (exitCode: number) =>
    async (...args: string[]): Promise<string> => {
      const { code, error } = await run(...args)
      assert.equal(code, exitCode)
      return error
    }

  const refused = refusedWith(1)

  const status = async () => {
    const authorization = `Bearer ${await server.issueToken()}`
    const url = `${server.address}/services/data/v64.0/sobjects/Account`
    return (await fetch(url, { headers: { authorization } })).status
  }

  const open = (more: object) => {
    const settings = { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent', ...more }
    return start(readConfig({}, settings))
  }

  before(async () => {
    server = await open({ allowFaults: 'true', faults: file('faults.yaml') })
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  test('the fault plans of the settings are set from the start on', async () => {
    assert.equal(
      await say('list'),
      `name         match         until  effect      matched  struck
-----------  ------------  -----  ----------  -------  ------
short-pages  route=/query  -      pageRows=7        0       0
`,
    )
  })

  test('set, list, clear: also while every call to the data fails', async () => {
    const effect = ['--effect', 'error=NOT_FOUND', '--count', '2', '--every', '2']
    assert.equal(
      await say('set', 'gone', ...effect, '--match', 'method=GET', '--match', 'version=64'),
      'Fault gone is set.\n',
    )
    assert.deepEqual([await status(), await status()], [200, 404])
    assert.equal(await say('set', 'down', '--effect', 'status=503'), 'Fault down is set.\n')
    assert.equal(await status(), 503)
    const lines = (await say('list')).split('\n')
    assert.match(lines[2]!, /^down +- +- +status=503 +1 +1$/)
    assert.match(
      lines[3]!,
      /^gone +every=2 method=GET version=64 +count=2 +error=\{"code":"NOT_FOUND"\} +2 +1$/,
    )
    assert.equal(await say('clear', 'down'), 'Fault down is gone.\n')
    assert.deepEqual([await status(), await status()], [200, 404])
    assert.equal(await say('clear'), 'No fault is set any more.\n')
    assert.equal(await say('list'), 'No fault is set.\n')
    assert.equal(await status(), 200)
  })

  test('apply sets the faults of a file, or none when one of them is wrong, with its place', async () => {
    assert.equal(await say('apply', file('faults.yaml')), '1 fault is set.\n')
    const path = file('wrong.yaml')
    assert.equal(
      await refused('apply', path),
      `${path}:5:5 odd.match.methd: "methd" means nothing for a fault plan; did you mean method?\n`,
    )
    writeFileSync(path, 'a: [')
    assert.match(await refused('apply', path), /wrong\.yaml:1:\d: /)
    assert.equal((await say('list')).split('\n').length, 4)
  })

  test('what cannot be meant is refused', async () => {
    assert.match(await refused('set', 'a', '--effect', 'limt=total'), /did you mean limit\?/)
    const misused = refusedWith(2)
    assert.equal(await misused('set', 'a', '--effect', 'retired', '--nth', 'x'), '--nth is a number, not x\n')
    assert.equal(
      await misused('clear', ''),
      "error: the argument 'name' of 'objectry fault clear' is empty\n",
    )
  })

  test('a server without the setting says how to get it, and does not start with a file of faults', async () => {
    await server.stop()
    server = await open({})
    assert.equal(
      await refused('list'),
      'INSUFFICIENT_ACCESS: Faults are off: start the server with --allow-faults\n',
    )
    assert.throws(() => open({ faults: file('faults.yaml') }), {
      message: 'OBJECTRY_FAULTS needs OBJECTRY_ALLOW_FAULTS=true: faults are off.',
    })
    assert.throws(() => open({ allowFaults: 'true', faults: 'nowhere.yaml' }), {
      message: 'OBJECTRY_FAULTS must be a file that is there, not "nowhere.yaml".',
    })
    assert.throws(() => open({ allowFaults: 'perhaps' }), {
      message: 'OBJECTRY_ALLOW_FAULTS must be false, true, headers, not "perhaps".',
    })
  })
})

test('--allow-faults alone allows them', async () => {
  const folder = makeDataFolder()
  const { end } = await startServer({ OBJECTRY_DATA: folder.data }, ['--allow-faults'])
  const { code, out } = await runCommand(['fault', 'list'], { OBJECTRY_DATA: folder.data })
  assert.deepEqual([code, out], [0, 'No fault is set.\n'])
  await end('SIGTERM')
  folder.remove()
})
