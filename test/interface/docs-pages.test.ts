import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import Fastify from 'fastify'
import { routeDocs } from '../../src/http/console/route-docs.ts'
import { openOrg } from '../support/org.ts'

/* The documentation as web pages, which the server serves where it is built. */

const folder = mkdtempSync(join(tmpdir(), 'objectry-docs-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const SCRIPT = 'document.title = "one"'
mkdirSync(join(folder, 'assets'))
mkdirSync(join(folder, 'how-to'))
mkdirSync(join(folder, 'examples'))
for (const [name, text] of [
  ['index.html', `<script>${SCRIPT}</script><script type="module" src="/docs/assets/a-1.js"></script>`],
  ['how-to/search.html', 'Search'],
  ['assets/a-1.js', 'plain'],
  ['examples/Dockerfile', 'FROM node'],
  ['examples/one.test.ts', 'test()'],
] as const)
  writeFileSync(join(folder, name), text)

const built = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
routeDocs(built, { console: true }, folder)

describe('the built documentation', () => {
  test('is served without a token, and runs the scripts that it was built with alone', async () => {
    const hash = createHash('sha256').update(SCRIPT).digest('base64')
    for (const [url, scripts] of [
      ['/docs', `'self' 'sha256-${hash}'`],
      ['/docs/', `'self' 'sha256-${hash}'`],
      ['/docs/index.html', `'self' 'sha256-${hash}'`],
      ['/docs/how-to/search.html', "'self'"],
    ] as const) {
      const { statusCode, headers } = await built.inject({ url })
      assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'], url)
      const [, policy] = /script-src ([^;]+);/.exec(String(headers['content-security-policy']))!
      assert.equal(policy, scripts, url)
    }
  })

  test('has files that browsers keep', async () => {
    const { body, headers } = await built.inject({ url: '/docs/assets/a-1.js' })
    assert.deepEqual([body, headers['cache-control']], ['plain', 'public, max-age=31536000, immutable'])
  })

  test('has the examples that pages link to, as texts', async () => {
    for (const url of ['/docs/examples/Dockerfile', '/docs/examples/one.test.ts']) {
      const { statusCode, headers } = await built.inject({ url })
      assert.deepEqual([statusCode, headers['content-type']], [200, 'text/plain; charset=utf-8'], url)
    }
  })

  test('gives nothing that is not there', async () => {
    for (const url of [
      '/docs/nothing.html',
      '/docs/how-to',
      '/docs/../secret.key',
      '/docs/%2e%2e/index.html',
    ])
      assert.equal((await built.inject({ url })).statusCode, 404, url)
  })
})

test('where the console is off there is no documentation either', async () => {
  const o = await openOrg({ settings: { console: 'off' } })
  assert.equal((await o.server.inject({ url: '/docs/' })).statusCode, 404)
})

test('where it is not built it says how to build it', async () => {
  const none = Fastify()
  routeDocs(none, { console: true }, join(folder, 'nothing'))
  const { statusCode, body } = await none.inject({ url: '/docs/' })
  assert.equal(statusCode, 404)
  assert.match(body, /npm run docs:build/)
})
