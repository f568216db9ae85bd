import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runCommandLine } from '../../src/cli/run-command-line.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED, onPostgres } from '../support/engine.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { runCommand, TestTerminal } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

/* `objectry events` as people run it, beside a server. */

const CHANNEL = '/event/Order_Placed__e'

describe('objectry events', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const files = makeTemporaryFolder()
  const variables = { OBJECTRY_DATA: folder.data }
  const run = (...args: string[]) => runCommand(['events', ...args], variables)
  let server: Objectry
  let port = '0'

  async function startServer(): Promise<void> {
    server = await start(readConfig({}, { data: folder.data, port, sitePort: '0', logLevel: 'silent' }))
    ;({ port } = new URL(server.address))
  }

  async function call(method: string, path: string, body: object, on = server): Promise<void> {
    const headers = {
      authorization: `Bearer ${await on.issueToken()}`,
      'content-type': 'application/json',
    }
    const response = await fetch(on.address + path, { method, headers, body: JSON.stringify(body) })
    assert.ok(response.ok, await response.text())
  }

  /** Starts to follow, and waits until it does. */
  function follow(...args: string[]) {
    const terminal = new TestTerminal(variables)
    const code = runCommandLine(['events', 'tail', ...args], terminal)
    return { terminal, code, lines: () => terminal.stdout.text.split('\n').slice(0, -1) }
  }

  const numbersOf = (lines: readonly string[]) =>
    lines.map((line) => JSON.parse(line).data.payload.Number__c as string)

  before(async () => {
    await startServer()
    const fields = {
      Number__c: { type: 'string', length: 20, required: true },
      Total__c: { type: 'double', precision: 10, scale: 2 },
    }
    const objects = { Order_Placed__e: { fields }, Account: { changeEvents: true } }
    await call('PUT', '/setup/orgs/current/schema', { mode: 'keep', objects })
  })
  after(async () => {
    await server.stop()
    folder.remove()
    files.remove()
  })

  test('publish prints id and uuid of an event, and says why one is refused', async () => {
    const said = await run('publish', 'Order_Placed__e', '{"Number__c":"O-1","Total__c":9.5}')
    assert.deepEqual([said.code, said.error], [0, ''])
    assert.match(said.out, /^e00\w{15} {2}[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\n$/)
    assert.deepEqual(await run('publish', 'Order_Placed__e', '{"Total__c":1}'), {
      ...{ code: 1, out: '' },
      error: 'REQUIRED_FIELD_MISSING: Required fields are missing: [Number__c]\n',
    })
    const asJson = await run('publish', 'Order_Placed__e', '{"Number__c":"O-2"}', '--json')
    assert.equal(JSON.parse(asJson.out).success, true)
    const unknown = await run('publish', 'Nothing__e', '{}')
    assert.equal(unknown.code, 1)
    assert.notEqual(unknown.error, '')
    for (const args of [[], ['{}', '--file', 'x']]) {
      assert.deepEqual(await run('publish', 'Order_Placed__e', ...args), {
        ...{ code: 2, out: '' },
        error: 'Give the fields of one event as JSON, "-" for standard input, or --file.\n',
      })
    }
    const none = join(files.folder, 'none')
    for (const [file, error] of [
      [none, `There is no file ${none}.\n`],
      [files.folder, `${files.folder} is a folder: give a file with an event in each line.\n`],
    ] as const)
      assert.deepEqual(await run('publish', 'Order_Placed__e', '--file', file), { code: 1, out: '', error })
  })

  test('publish creates no records', async () => {
    const said = await run('publish', 'Account', '{"Name":"No event"}')
    assert.deepEqual([said.code, said.out], [2, ''])
    assert.match(said.error, /^Account is no platform event: their names end in __e\./)
    const found = await runCommand(['query', "SELECT Id FROM Account WHERE Name = 'No event'"], variables)
    assert.deepEqual([found.code, found.out.includes('001')], [0, false], found.out)
  })

  test('publish takes an event from each line of a file or of standard input, and goes on after a refused one', async () => {
    const file = join(files.folder, 'orders.jsonl')
    const lines = Array.from({ length: 450 }, (_, n) => JSON.stringify({ Number__c: `F-${n}` }))
    writeFileSync(file, `${lines.join('\n')}\n\nno JSON\n{"Number__c":"longer than twenty digits"}\n`)
    const said = await run('publish', 'Order_Placed__e', '--file', file)
    assert.equal(said.code, 1)
    assert.equal(said.out.split('\n').length, 451)
    assert.match(
      said.error,
      /^line 452: JSON_PARSER_ERROR: This is no JSON object\nline 453: STRING_TOO_LONG: .*\n450 published, 2 refused\n$/,
    )
    const input = '{"Number__c":"S-1"}\n{"Number__c":"S-2"}'
    const piped = await runCommand(['events', 'publish', 'Order_Placed__e', '-'], variables, input)
    assert.deepEqual([piped.code, piped.error], [0, '2 published\n'])
  })

  test('replay prints what is kept and ends, whole or between two positions', async () => {
    const all = await run('replay', CHANNEL)
    assert.deepEqual([all.code, all.error], [0, ''])
    const lines = all.out.split('\n').slice(0, -1)
    assert.deepEqual(numbersOf(lines).slice(0, 3), ['O-1', 'O-2', 'F-0'])
    assert.deepEqual(numbersOf(lines).slice(-2), ['S-1', 'S-2'])
    assert.equal(lines.length, 454)
    const positions = lines.map((line) => JSON.parse(line).data.event.replayId as number)
    const [from, to] = [positions[200]!, positions[210]!]
    const some = await run('replay', CHANNEL, '--from', String(from), '--to', String(to))
    assert.deepEqual(some.out.split('\n').slice(0, -1), lines.slice(201, 211))
    assert.deepEqual(await run('replay', '/data/AccountChangeEvent'), { code: 0, out: '', error: '' })
  })

  test('tail ends after --max events', async () => {
    const said = await run('tail', CHANNEL, '--replay', '-2', '--max', '3')
    assert.deepEqual([said.code, said.error], [0, ''])
    assert.deepEqual(numbersOf(said.out.split('\n').slice(0, -1)), ['O-1', 'O-2', 'F-0'])
  })

  test('tail is refused what the stream refuses', async () => {
    assert.deepEqual(await run('tail', '/event/Nothing__e'), {
      ...{ code: 1, out: '' },
      error: 'NOT_FOUND: The channel you requested to subscribe to does not exist {/event/Nothing__e}\n',
    })
    const beyond = await run('tail', CHANNEL, '--replay', '99999999')
    assert.deepEqual([beyond.code, beyond.out], [1, ''])
    assert.match(beyond.error, /^ILLEGAL_QUERY_PARAMETER_VALUE: The replayId \{99999999\}/)
    for (const wrong of [
      ['tail', CHANNEL, '--replay', 'x'],
      ['tail', CHANNEL, '--max', '0'],
      ['replay', CHANNEL, '--from', '-2'],
    ])
      assert.equal((await run(...wrong)).code, 2)
  })

  test('tail of several channels shows people a line of each event', async () => {
    const terminal = new TestTerminal(variables)
    Object.assign(terminal.stdout, { isTTY: true, columns: 80 })
    const code = runCommandLine(
      ['events', 'tail', CHANNEL, '/data/AccountChangeEvent', '--replay', '-2', '--max', '455'],
      terminal,
    )
    await call('POST', '/services/data/v64.0/sobjects/Account', { Name: 'Acme' })
    assert.equal(await code, 0)
    const lines = terminal.stdout.text.split('\n')
    assert.match(lines[0]!, /^\d+ {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}Order_Placed__e {2}\{"Number__c":"O-1","T/)
    assert.match(lines.at(-2)!, /^\d+ {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}CREATE Account 001\w{15} {2}\{"Name.*…$/)
    assert.ok(lines.every((line) => line.length <= 80))
  })

  test('tail goes on where it was when the server comes back, and ends with Ctrl-C', async () => {
    const { terminal, code, lines } = follow(CHANNEL, '--replay', '-2')
    await until(() => lines().length === 454)
    await server.stop()
    await until(() => terminal.stderr.text.includes('Lost the stream of '))
    await startServer()
    assert.equal((await run('publish', 'Order_Placed__e', '{"Number__c":"later"}')).code, 0)
    await until(() => lines().length === 455)
    assert.equal(numbersOf(lines()).at(-1), 'later')
    terminal.interrupt('SIGINT')
    assert.equal(await code, 130)
  })

  test('tail of new events misses none that come while the server is away', async () => {
    const { terminal, code, lines } = follow(CHANNEL)
    const isFollowing = async () => {
      await run('publish', 'Order_Placed__e', '{"Number__c":"first"}')
      return lines().length > 0
    }
    await until(isFollowing)
    await server.stop()
    await until(() => terminal.stderr.text.includes('Lost the stream of '))
    // Without a server the command opens the org itself.
    assert.equal((await run('publish', 'Order_Placed__e', '{"Number__c":"meanwhile"}')).code, 0)
    await startServer()
    await until(() => numbersOf(lines()).includes('meanwhile'))
    terminal.interrupt('SIGINT')
    assert.equal(await code, 130)
  })

  test('tail says that no server answers', async () => {
    const said = await run('tail', CHANNEL, '--server', 'http://127.0.0.1:1')
    assert.deepEqual([said.code, said.out], [1, ''])
    assert.match(said.error, /^The server at http:\/\/127\.0\.0\.1:1 does not answer: /)
  })

  test('what the limit of deliveries keeps back ends replay, and has tail wait longer each time', async () => {
    const { data, remove } = makeDataFolder()
    const flags = { data, port: '0', sitePort: '0', logLevel: 'silent', deliveredEvents: '2' }
    const limited = await start(readConfig({}, flags))
    try {
      const objects = { Order_Placed__e: { fields: { Number__c: { type: 'string', length: 20 } } } }
      await call('PUT', '/setup/orgs/current/schema', { mode: 'keep', objects }, limited)
      for (const Number__c of ['L-1', 'L-2', 'L-3'])
        await call('POST', '/services/data/v64.0/sobjects/Order_Placed__e', { Number__c }, limited)
      const own = { OBJECTRY_DATA: data }
      const said = await runCommand(['events', 'replay', CHANNEL], own)
      const refusal = 'REQUEST_LIMIT_EXCEEDED: You have exceeded the event delivery limit for your org'
      assert.deepEqual([said.code, numbersOf(said.out.split('\n').slice(0, -1))], [1, ['L-1', 'L-2']])
      assert.equal(said.error, `${refusal}. Go on with --from 2\n`)
      const terminal = new TestTerminal(own)
      const code = runCommandLine(['events', 'tail', CHANNEL, '--replay', '2'], terminal)
      await until(() => terminal.stderr.text.split('\n').length > 3)
      terminal.interrupt('SIGINT')
      assert.equal(await code, 130)
      assert.deepEqual(
        terminal.stderr.text.split('\n').slice(0, 3),
        [0.5, 1, 2].map(
          (wait) => `Lost the stream of ${limited.address}: ${refusal}. Going on after 2 in ${wait} s`,
        ),
      )
    } finally {
      await limited.stop()
      remove()
    }
  })

  test('publish takes lines with any ends behind a byte order mark, and refuses what is not UTF-8', async () => {
    const file = join(files.folder, 'mark.jsonl')
    const lines = [
      ...['\ufeff{"Number__c":"Ü-1"}\r\n', '\r\n', '{"Number__c":"'],
      ...[Buffer.from([0xff, 0xfe]), '"}\n{"Number__c":"Ü-2"}'],
    ]
    writeFileSync(file, Buffer.concat(lines.map((one) => Buffer.from(one as string))))
    const said = await run('publish', 'Order_Placed__e', '--file', file)
    assert.deepEqual(
      [said.code, said.error],
      [1, 'line 3: JSON_PARSER_ERROR: This is not UTF-8 text\n2 published, 1 refused\n'],
    )
    assert.equal(said.out.split('\n').length, 3)
  })

  test('publish goes on to its end when nobody reads the ids any more', async () => {
    const lines = Array.from({ length: 450 }, (_, n) => JSON.stringify({ Number__c: `E-${n}` }))
    const file = join(files.folder, 'unread.jsonl')
    writeFileSync(file, lines.join('\n'))
    const terminal = new TestTerminal(variables)
    terminal.stdout._write = (_chunk, _encoding, done: (error: Error) => void) =>
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    const code = await runCommandLine(['events', 'publish', 'Order_Placed__e', '--file', file], terminal)
    assert.equal(code, 0)
    assert.equal(terminal.stderr.text, '450 published\n')
  })
})

describe('objectry events on PostgreSQL', { skip: !onPostgres }, () => {
  test('follows the server that is named, and publishes by the database', async () => {
    const database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'events')
    const flags = { databaseUrl: database.url, port: '0', sitePort: '0', logLevel: 'silent', poolSize: '2' }
    const server = await start(readConfig({}, flags))
    try {
      const objects = { Order_Placed__e: { fields: { Number__c: { type: 'string', length: 20 } } } }
      const response = await fetch(`${server.address}/setup/orgs/current/schema`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${await server.issueToken()}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ mode: 'keep', objects }),
      })
      assert.ok(response.ok, await response.text())
      const run = (...args: string[]) => runCommand(['events', ...args], { DATABASE_URL: database.url })
      const published = await run('publish', 'Order_Placed__e', '{"Number__c":"P-1"}')
      assert.deepEqual([published.code, published.error], [0, ''])
      const args = [CHANNEL, '--replay', '-2', '--max', '1', '--server', server.address]
      const { code, out, error } = await run('tail', ...args)
      assert.deepEqual([code, error], [0, ''])
      assert.equal(JSON.parse(out).data.payload.Number__c, 'P-1')
    } finally {
      await server.stop()
      await database.drop()
    }
  })
})
