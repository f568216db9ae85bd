import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { XMLParser } from 'fast-xml-parser'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'

/* `objectry report` as people run it after their tests. */

describe('objectry report', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const settings = { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent', allowFaults: 'true' }
  const run = (...args: string[]) => runCommand(['report', ...args], { OBJECTRY_DATA: folder.data })
  let server: Objectry

  before(async () => {
    server = await start(readConfig({}, settings))
    const headers = {
      authorization: `Bearer ${await server.issueToken()}`,
      'content-type': 'application/json',
    }
    const send = (body: string) =>
      fetch(`${server.address}/services/data/v64.0/sobjects/Contact`, { method: 'POST', headers, body })
    for (const body of ['{"LastName":"x"}', '{"FirstName":"<x>"}', '{"FirstName":"<x>"}']) await send(body)
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  test('tells what the calls would have cost and what clients did, and --strict ends with 1', async () => {
    const { code, out, error } = await run('--strict')
    assert.deepEqual([code, error], [1, ''])
    assert.match(out, /^ {2}calls +3\n {2}would have cost +3\n {2}at the same time +1$/m)
    assert.match(
      out,
      /^NOT +1 {2}400 REQUIRED_FIELD_MISSING on POST \/sobjects\/:object .* fix the call {2}sent the same again$/m,
    )
    assert.equal((await run()).code, 0)
  })

  test('writes JSON and JUnit for a CI', async () => {
    const { calls, errors } = JSON.parse((await run('--format', 'json')).out)
    assert.deepEqual([calls, errors.length], [3, 2])
    const { out } = await run('--format', 'junit')
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(out)
    assert.deepEqual([testsuites.testsuite['@_tests'], testsuites.testsuite['@_failures']], ['2', '1'])
    const unknown = await run('--format', 'yaml')
    assert.deepEqual([unknown.code, unknown.error], [2, '--format takes text, json, junit, not "yaml".\n'])
  })

  test('--reset empties the journal', async () => {
    assert.equal((await run('--reset')).out, 'The journal was cleared.\n')
    assert.equal((await run()).out, 'Nobody has called since the journal began.\n')
  })
})
