import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'
import { until } from '../support/until.ts'

/* `objectry bulk` as people run it: beside a server that runs, and without one. */

describe('objectry bulk', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const run = (...args: string[]) => runCommand(['bulk', ...args], { OBJECTRY_DATA: folder.data })
  let server: Objectry
  let isStopped = false
  let ids: Record<'loaded' | 'query' | 'open' | 'alsoOpen', string>

  async function say(...args: string[]): Promise<string> {
    const { code, out, error } = await run(...args)
    assert.deepEqual([code, error], [0, ''])
    return out
  }

  async function call(method: string, path: string, body: string | null = null, type = 'application/json') {
    const headers = { authorization: `Bearer ${await server.issueToken()}`, 'content-type': type }
    const response = await fetch(`${server.address}/services/data/v64.0/jobs${path}`, {
      method,
      headers,
      body,
    })
    assert.ok(response.ok, `${path}: ${response.status}`)
    return response
  }

  async function create(kind: string, body: object): Promise<string> {
    return ((await (await call('POST', `/${kind}`, JSON.stringify(body))).json()) as { id: string }).id
  }

  const untilComplete = (path: string) =>
    until(async () => ((await (await call('GET', path)).json()) as { state: string }).state === 'JobComplete')

  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await server.stop()
  }

  before(async () => {
    server = await start(readConfig({}, { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent' }))
  })
  after(async () => {
    await stop()
    folder.remove()
  })

  test('lists jobs, shows one, and aborts one', async () => {
    assert.equal(await say('list'), 'There are no such jobs.\n')
    const loaded = await create('ingest', { object: 'Account', operation: 'insert' })
    await call('PUT', `/ingest/${loaded}/batches`, 'Name\nA\n""\n', 'text/csv')
    await call('PATCH', `/ingest/${loaded}`, '{"state":"UploadComplete"}')
    const query = await create('query', { operation: 'query', query: 'SELECT Name FROM Account' })
    const open = await create('ingest', { object: 'Contact', operation: 'insert' })
    const alsoOpen = await create('ingest', { object: 'Lead', operation: 'delete' })
    await untilComplete(`/ingest/${loaded}`)
    const shown = await say('show', loaded)
    assert.match(
      shown,
      new RegExp(`^${loaded}\\n  operation +insert\\n  object +Account\\n  state +JobComplete\\n`),
    )
    assert.match(shown, /\n {2}processed +2\n {2}failed +1\n/)
    await untilComplete(`/query/${query}`)
    assert.match(
      await say('list', '--state', 'jobcomplete'),
      new RegExp(`${loaded} .* insert +Account +JobComplete +2 +1\n`),
    )
    assert.equal(await say('abort', open), `${open} is aborted.\n`)
    ids = { loaded, query, open, alsoOpen }
  })

  test('says what cannot be', async () => {
    const again = JSON.parse(await say('list', '--json', '--state', 'Aborted'))[0].id
    for (const [args, code, message] of [
      [['show', '750000000000000AAA'], 1, /NOT_FOUND: The requested resource does not exist/],
      [['abort', again], 1, /INVALIDJOBSTATE: Aborting already Completed Job not allowed/],
      [['list', '--limit', 'x'], 2, /--limit takes a whole number from 1 on, not x/],
    ] as const) {
      const answer = await run(...args)
      assert.equal(answer.code, code, answer.error)
      assert.match(answer.error, message)
    }
  })

  test('works when no server runs', async () => {
    await stop()
    const { loaded, query, open, alsoOpen } = ids
    const jobs = JSON.parse(await say('list', '--json')) as { id: string; state: string; jobType: string }[]
    assert.deepEqual(
      jobs.map(({ id, state, jobType }) => [id, state, jobType]).sort(),
      [
        [loaded, 'JobComplete', 'V2Ingest'],
        [query, 'JobComplete', 'V2Query'],
        [open, 'Aborted', 'V2Ingest'],
        [alsoOpen, 'Open', 'V2Ingest'],
      ].sort(),
    )
    assert.equal(JSON.parse(await say('list', '--json', '--limit', '1')).length, 1)
    assert.equal(JSON.parse(await say('abort', alsoOpen, '--json')).state, 'Aborted')
    assert.match(await say('show', alsoOpen), /\n {2}state +Aborted\n/)
  })
})
