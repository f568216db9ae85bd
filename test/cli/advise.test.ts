import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'

/* `objectry advise` as people run it beside a server. */

/** Alternatives of patterns, so that the query is slow on any machine and costs the planner nothing. */
const SLOW = `SELECT Id FROM Account WHERE Phone = '555 0100' AND (${Array.from({ length: 19 }, (_, n) => `Website LIKE '%${n}%'`).join(' OR ')}) LIMIT 40`

describe('objectry advise', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const settings = {
    data: folder.data,
    port: '0',
    sitePort: '0',
    logLevel: 'silent',
    slowStatementMilliseconds: '1',
  }
  const run = (...args: string[]) => runCommand(['advise', ...args], { OBJECTRY_DATA: folder.data })
  let server: Objectry

  before(async () => {
    server = await start(readConfig({}, settings))
    const headers = { authorization: `Bearer ${await server.issueToken()}` }
    const url = `${server.address}/services/data/v64.0/query?q=${encodeURIComponent(SLOW)}`
    // The first time the engine has to plan it, which takes longer than a millisecond.
    assert.equal((await fetch(url, { headers })).status, 200)
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  test('prints how long a query took, without its values, and the line to declare', async () => {
    const { code, out, error } = await run()
    assert.deepEqual([code, error], [0, ''])
    assert.match(out, /^SELECT Id FROM Account WHERE Phone = '0{15}AAA' AND \(Website LIKE '%\?'/m)
    assert.match(out, /^ {2}times {4}\d+\n {2}in all {3}\d+\.\d\d s$/m)
    assert.match(out, /^ {2}declare {2}Account: indexes: \[\[Phone\]\]$/m)
    assert.doesNotMatch(out, /0100|LIMIT 40/)
  })

  test('prints JSON, with what the planner says when an index is tried', async () => {
    const found = JSON.parse((await run('--try', '--json')).out)
    const { tried } = found.find(({ index }: { index: unknown }) => index !== null)
    assert.deepEqual(tried.index, ['Phone'])
    assert.equal(typeof tried.helps, 'boolean')
    assert.ok(tried.costBefore > 0 && tried.costAfter > 0)
  })

  test('--clear forgets the queries', async () => {
    assert.equal((await run('--clear')).out, 'The slow queries were forgotten.\n')
    assert.equal((await run()).out, 'No query was slow in the last seven days.\n')
  })
})
