import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openInBrowser } from '../../src/cli/open-in-browser.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'
import { until } from '../support/until.ts'

/* `objectry open` and `objectry env` as people run them. */

describe('objectry open', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const run = (...args: string[]) => runCommand(args, { OBJECTRY_DATA: folder.data })
  let server: Objectry

  before(async () => {
    server = await start(readConfig({}, { data: folder.data, port: '0', logLevel: 'silent' }))
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  test('prints an address that signs a browser in to the console', async () => {
    const { code, out, error } = await run('open')
    assert.deepEqual([code, error], [0, 'Signs in as admin@objectry.local, once, within a minute.\n'])
    const { status, headers } = await fetch(out.trim(), { redirect: 'manual' })
    assert.deepEqual([status, headers.get('location')], [303, '/console/'])
    assert.match(headers.get('set-cookie') ?? '', /HttpOnly/)
  })

  test('hands the address to a browser in a page that only the user can read, and removes it', {
    skip: process.platform !== 'linux' && 'another program opens addresses',
  }, async () => {
    const desk = mkdtempSync(join(tmpdir(), 'objectry-test-opener-'))
    // Notes its arguments, who may read the page and what is in it.
    const opener = `#!/bin/sh\necho "$*" > ${desk}/args\nstat -c %a "$1" "$(dirname "$1")" > ${desk}/modes\ncat "$1" > ${desk}/page\nmv ${desk}/page ${desk}/done\n`
    writeFileSync(join(desk, 'xdg-open'), opener, { mode: 0o755 })
    const url = 'http://127.0.0.1:8080/secur/frontdoor.jsp?otp=a&b="c'
    openInBrowser(url, { PATH: `${desk}:${process.env.PATH}` }, 2000)
    await until(async () => existsSync(join(desk, 'done')))
    const read = (name: string) => readFileSync(join(desk, name), 'utf8')
    const page = read('args').trim()
    assert.doesNotMatch(page, /otp|frontdoor/)
    assert.equal(read('modes'), '600\n700\n')
    assert.match(read('done'), /url=http:\/\/127\.0\.0\.1:8080\/secur\/frontdoor\.jsp\?otp=a&amp;b=&quot;c"/)
    await until(async () => !existsSync(dirname(page)))
    rmSync(desk, { recursive: true })
  })

  test('of another org leads to the console of that org', async () => {
    await run('org', 'create', 'acme')
    const { out } = await run('open', '--org', 'acme', '--path', '/console/query')
    const { headers } = await fetch(out.trim(), { redirect: 'manual' })
    assert.equal(headers.get('location'), '/console/query?org=acme')
  })

  test('env prints what a shell needs for calls', async () => {
    const { code, out } = await run('env')
    assert.equal(code, 0)
    const [, url, token] = /^export URL='([^']+)'\nexport TOKEN='([^']+)'\n$/.exec(out)!
    const { status } = await fetch(`${url}/services/data/v66.0/limits`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(status, 200)
  })

  test('--json has both, and the user', async () => {
    const { out } = await run('env', '--json', '--user', 'admin@objectry.local')
    assert.deepEqual(Object.keys(JSON.parse(out)), ['id', 'username', 'token', 'address', 'url'])
  })

  test('says which user there is not', async () => {
    const { code, out, error } = await run('open', '--user', 'nobody@example.com')
    assert.deepEqual([code, out], [1, ''])
    assert.match(error, /There is no user nobody@example\.com/)
  })
})
