import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { until } from '../support/until.ts'

/* `objectry job` as people run it: against a server, and when there is none. */

const deployment = writeDeployment({
  'jobs/nightly.ts': "export default { cron: '0 6 * * 1', timeZone: 'Europe/Berlin', run() {} }",
  'jobs/picky.ts': `export default { retries: [], run(payload) {
    if (payload?.fine !== true) throw new Error('not fine')
  } }`,
})

describe('objectry job', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const settings = { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent', deployment }
  const run = (...args: string[]) => runCommand(['job', ...args], { OBJECTRY_DATA: folder.data })
  const runHere = (...args: string[]) =>
    runCommand(['job', ...args], { OBJECTRY_DATA: folder.data, OBJECTRY_DEPLOYMENT: deployment })
  let server: Objectry

  async function say(...args: string[]): Promise<string> {
    const { code, out, error } = await run(...args)
    assert.deepEqual([code, error], [0, ''])
    return out
  }

  const fetchStatus = async (id: string) => /^ {2}status +(\w+)$/m.exec(await say('show', id))![1]
  const untilStatus = (id: string, status: string) => until(async () => (await fetchStatus(id)) === status)
  const idIn = (out: string) =>
    /^Queued (0Bj\w{15})\. What becomes of it: objectry job show \1\n$/.exec(out)![1]!

  before(async () => {
    server = await start(readConfig({}, settings))
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  test('run queues a run, with a payload; show, runs and list tell of it', async () => {
    const fine = idIn(await say('run', 'picky', '--payload', '{"fine":true}'))
    await untilStatus(fine, 'Done')
    assert.match(await say('show', fine), /\npayload\n\{\n {2}"fine": true\n\}\n$/)
    const dead = idIn(await say('run', 'picky'))
    await untilStatus(dead, 'Dead')
    assert.match(await say('show', dead), /\nerror\nError: not fine\n\npicky: line 2, .*\n\npayload\nnull\n$/)
    const lines = (await say('runs', '--job', 'picky')).trimEnd().split('\n')
    assert.match(lines[0]!, /^id {17} queued {15} job {4}status {2}attempts {2}error$/)
    assert.match(lines[2]!, new RegExp(`^${dead} {2}\\S+Z {2}picky {2}Dead {11}1 {2}Error: not fine$`))
    assert.match(lines[3]!, new RegExp(`^${fine} {2}\\S+Z {2}picky {2}Done {11}1 {2}-$`))
    assert.equal(
      await say('list'),
      `name     cron       time zone      queued  done  retrying  dead
-------  ---------  -------------  ------  ----  --------  ----
nightly  0 6 * * 1  Europe/Berlin       0     0         0     0
picky    -          -                   0     1         0     1
`,
    )
  })

  test('run says what is wrong with a job or a payload', async () => {
    const unknown = await run('run', 'daily')
    assert.deepEqual(
      [unknown.code, unknown.error],
      [1, 'NOT_FOUND: The deployment has no job daily. There are nightly, picky\n'],
    )
    const payload = await run('run', 'picky', '--payload', '{fine')
    assert.equal(payload.code, 2)
    assert.match(payload.error, /^--payload takes JSON, like '\{"since":"2026-01-01"\}': /)
  })

  test('replay queues runs again, some or all that are dead', async () => {
    const id = idIn(await say('run', 'picky'))
    await untilStatus(id, 'Dead')
    assert.equal(await say('replay', '--dead', '--job', 'picky'), '2 runs queued again.\n')
    assert.equal(await say('replay', '--dead', '--job', 'nightly'), '0 runs queued again.\n')
    await untilStatus(id, 'Dead')
    assert.equal(await say('replay', id), '1 run queued again.\n')
    assert.match(await say('show', id), /^ {2}replayed +yes$/m)
  })

  test('works when no server runs; the next one does what was queued', async () => {
    await server.stop()
    const without = await run('list')
    assert.equal(without.code, 1)
    assert.match(without.error, /^Which deployment\? /m)
    const listed = await runHere('list')
    assert.deepEqual([listed.code, listed.error], [0, ''])
    assert.match(listed.out, /^nightly {2}0 6 \* \* 1 {2}Europe\/Berlin /m)
    const queued = await runHere('run', 'picky', '--payload', '{"fine":true}')
    assert.deepEqual([queued.code, queued.error], [0, ''])
    const id = idIn(queued.out)
    assert.equal(await fetchStatus(id), 'Queued')
    const dead = (await say('runs', '--status', 'dead')).split('\n').length - 3
    assert.equal(await say('replay', '--dead'), `${dead} runs queued again.\n`)
    server = await start(readConfig({}, settings))
    await untilStatus(id, 'Done')
  })
})
