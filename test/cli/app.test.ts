import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { makeCertificate } from '../support/certificate.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { credentialsIn, fetchToken, makeDataFolder } from '../support/server-process.ts'

/* `objectry app` as people run it. */

const folder = makeDataFolder()
const { data } = folder
const run = (...args: string[]) => runCommand(['app', ...args], { OBJECTRY_DATA: data })
const startServer = () => start(readConfig({}, { data, port: '0', logLevel: 'silent' }))

let server: Objectry

before(async () => {
  server = await startServer()
})
after(async () => {
  await server.stop()
  folder.remove()
})

async function make(...args: string[]) {
  const { code, out, error } = await run('create', ...args)
  assert.deepEqual([code, error], [0, ''])
  return { out, ...credentialsIn(out)! }
}

const runAs = ['--run-as', 'admin@objectry.local']

describe('objectry app', ON_EMBEDDED, () => {
  test('create tells the client id and the secret once', async () => {
    const app = await make('Nightly sync', ...runAs, '--scope', 'api', 'id')
    assert.match(
      app.out,
      /^Made the app Nightly sync\.\n\n {2}record {9}0H4\w{15}\n {2}client id {6}3MVG9\S{80}\n {2}client secret {2}[0-9a-f]{64}\n/,
    )
    assert.match(await fetchToken(server.address, app), /^00D/)
    const { out } = await run('list')
    assert.match(out, /^Nightly sync +api id +- +0 +- +3MVG9\S{80}$/m)
    assert.ok(out.includes(`${app.clientId}\n`))
    assert.ok(!out.includes(app.clientSecret))
  })

  test('create makes public apps too, and takes certificates from a file', async () => {
    const { code, out } = await run(
      'create',
      'Phone',
      '--public',
      '--callback',
      'myapp://done',
      '--scope',
      'api',
      'refresh_token',
    )
    assert.equal(code, 0)
    assert.doesNotMatch(out, /client secret/)
    assert.match((await run('list')).out, /^Phone +api refresh_token +public /m)
    const file = join(data, 'certificate.pem')
    writeFileSync(file, makeCertificate().certificate)
    await make('Signed', '--certificate', file)
    writeFileSync(file, 'nonsense')
    const refused = await run('create', 'Unsigned', '--certificate', file)
    rmSync(file)
    assert.equal(refused.code, 1)
    assert.match(refused.error, /Certificates are X\.509 in PEM/)
  })

  test('create says what is wrong', async () => {
    for (const [args, message] of [
      [['x', '--scope', 'everything'], /Scopes are api, refresh_token/],
      [['x', '--run-as', 'nobody'], /There is no user of that name or id/],
      [
        ['x', '--certificate', '/nowhere.pem'],
        /^\/nowhere\.pem cannot be opened: no such file or directory$/m,
      ],
    ] as const) {
      const { code, out, error } = await run('create', ...args)
      assert.deepEqual([code, out], [1, ''])
      assert.match(error, message)
    }
  })

  test('rotate gives a new secret and says how long the old one works', async () => {
    const app = await make('Rotated', ...runAs)
    const { code, out } = await run('rotate', 'Rotated')
    assert.equal(code, 0)
    const rotated = credentialsIn(out)!
    assert.equal(rotated.clientId, app.clientId)
    assert.match(out, /The old secret works until \d{4}-\d\d-\d\dT/)
    for (const secret of [app, rotated]) await fetchToken(server.address, secret)
    const last = await run('rotate', app.clientId, '--overlap-hours', '0')
    assert.match(last.out, /The old secret has ended/)
    await assert.rejects(fetchToken(server.address, rotated), /invalid_client/)
    assert.match((await run('rotate', 'Rotated', '--overlap-hours', 'soon')).error, /takes a number/)
  })

  test('block takes the tokens of an app away, unblock lets it in again', async () => {
    const app = await make('Blocked', ...runAs)
    const headers = { authorization: `Bearer ${await fetchToken(server.address, app)}` }
    const status = async () =>
      (await fetch(`${server.address}/services/data/v64.0/sobjects`, { headers })).status
    assert.equal(await status(), 200)
    assert.equal((await run('block', 'Blocked')).out, 'Blocked Blocked. Its tokens are gone.\n')
    assert.equal(await status(), 401)
    await assert.rejects(fetchToken(server.address, app), /OAUTH_APP_BLOCKED/)
    assert.match((await run('list')).out, /^Blocked +api +blocked +\d+ +- +3MVG9/m)
    assert.equal((await run('unblock', 'Blocked')).code, 0)
    await fetchToken(server.address, app)
    assert.match((await run('block', 'nobody')).error, /There is no app of that name or client id/)
  })

  test('works without a server too, with the key that the server left in the data folder', async () => {
    await server.stop()
    const app = await make('Made in between', ...runAs)
    server = await startServer()
    assert.match(await fetchToken(server.address, app), /^00D/)
  })
})
