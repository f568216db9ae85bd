import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { routeConsole } from '../../src/http/console/route-console.ts'
import { openOrg } from '../support/org.ts'

/* The page of the console and its files, which the server serves. */

const folder = mkdtempSync(join(tmpdir(), 'objectry-console-'))
after(() => rmSync(folder, { recursive: true, force: true }))

mkdirSync(join(folder, 'assets'))
mkdirSync(join(folder, '.vite'))
for (const [name, text] of [
  ['index.html', '<meta nonce="__CSP_NONCE__"><script nonce="__CSP_NONCE__" src="/console/assets/a-1.js">'],
  ['assets/a-1.js', 'plain'],
  ['assets/a-1.js.br', 'in brotli'],
  ['assets/a-1.js.gz', 'in gzip'],
  ['assets/b-2.css', 'b {}'],
  ['robots.txt', 'not a type that is served'],
  ['.vite/manifest.json', '{}'],
] as const)
  writeFileSync(join(folder, name), text)

const built = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
routeConsole(built, { console: true }, folder)

const get = async (server: FastifyInstance, url: string, headers: Record<string, string> = {}) =>
  server.inject({ method: 'GET', url, headers })

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the built console', () => {
  test('is one page at all of its addresses, with another nonce each time, and never kept', async () => {
    const nonces = new Set<string>()
    for (const url of [
      '/console',
      '/console/',
      '/console/?org=Acme',
      '/console/query/saved',
      '/console/callback?code=1',
    ]) {
      const { statusCode, headers, body } = await get(built, url)
      assert.equal(statusCode, 200, url)
      assert.equal(headers['cache-control'], 'no-store')
      const policy = String(headers['content-security-policy'])
      const nonce = /'nonce-([A-Za-z0-9+/=]+)'/.exec(policy)![1]!
      nonces.add(nonce)
      assert.equal(body, `<meta nonce="${nonce}"><script nonce="${nonce}" src="/console/assets/a-1.js">`)
      assert.equal(
        policy.replace(nonce, 'N'),
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data:; font-src 'self'; " +
          "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
    }
    assert.equal(nonces.size, 5)
  })

  test('has files that browsers keep, packed as they take them', async () => {
    for (const [accepted, encoding, body] of [
      ['gzip, deflate, br', 'br', 'in brotli'],
      ['br;q=0, gzip', 'gzip', 'in gzip'],
      ['identity', undefined, 'plain'],
      ['', undefined, 'plain'],
    ] as const) {
      const reply = await get(built, '/console/assets/a-1.js', { 'accept-encoding': accepted })
      assert.deepEqual([reply.statusCode, reply.body], [200, body])
      assert.equal(reply.headers['content-encoding'], encoding)
      assert.equal(reply.headers['content-type'], 'text/javascript; charset=utf-8')
      assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(reply.headers.vary, 'Accept-Encoding')
    }
    const style = await get(built, '/console/assets/b-2.css', { 'accept-encoding': 'br' })
    assert.deepEqual([style.body, style.headers['content-encoding']], ['b {}', undefined])
  })

  test('gives no other file', async () => {
    for (const url of [
      '/console/assets/none.js',
      '/console/assets/a-1.js.br',
      '/console/.vite/manifest.json',
      '/console/robots.txt',
      '/console/assets/..%2f..%2fpackage.json',
      '/console/..%2fpackage.json',
      '/console/%2e%2e/package.json',
      '/console/assets/%00.js',
    ])
      assert.equal((await get(built, url)).statusCode, 404, url)
  })
})

describe('a server', () => {
  test('leads browsers from its bare address and from pages of the platform to the console, and tells programs where what is', async () => {
    const { server } = await openOrg()
    for (const [url, location] of [
      ['/?org=Acme', '/console/?org=Acme'],
      ['/lightning', '/console/'],
      ['/lightning/setup/SetupOneHome/home', '/console/'],
      ['/lightning/o/Account/list?filterName=Recent', '/console/records/Account'],
      ['/lightning/r/Account/001OB000000096bYAA/view', '/console/records/Account/001OB000000096bYAA'],
      ['/lightning/r/001OB000000096bYAA/view', '/console/'],
      ['/lightning/o/..%2f..%2fx/list', '/console/'],
    ]) {
      const led = await get(server, url!, BROWSER)
      assert.deepEqual([led.statusCode, led.headers.location], [302, location], url)
    }
    const program = await get(server, '/', { accept: '*/*' })
    assert.deepEqual([program.statusCode, program.json()[0].errorCode], [404, 'NOT_FOUND'])
    assert.match(program.json()[0].message, /the API is at \/services\/data/)
    const page = await get(server, '/console/', BROWSER)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    assert.equal((await server.inject({ method: 'POST', url: '/console/' })).statusCode, 404)
  })

  test('says how to build a console that is not built', async () => {
    const bare = Fastify()
    const empty = mkdtempSync(join(folder, 'empty-'))
    routeConsole(bare, { console: true }, empty)
    const { statusCode, body } = await get(bare, '/console/')
    assert.equal(statusCode, 404)
    assert.match(body, /npm run console:build/)
  })

  test('whose console is off has none', async () => {
    const { server } = await openOrg({ settings: { console: 'off' } })
    for (const url of ['/', '/console', '/console/', '/console/assets/a-1.js'])
      assert.equal((await get(server, url, BROWSER)).statusCode, 404, url)
  })
})
