import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { before, describe, test } from 'node:test'
import { afterFile } from '../support/after-file.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* Request targets beside paths: proxies and scanners send all of them. */

const DEPLOYMENT = { 'resources/hello.ts': "export default { path: '/hello', GET: ({ query }) => query }" }
const HOST = `${randomUUID()}.example.com`

let o: TestOrg

before(async () => {
  o = await openOrg({ deployment: writeDeployment(DEPLOYMENT), host: HOST })
  await Promise.all([o.server, o.site].map((server) => server.listen({ host: '127.0.0.1', port: 0 })))
  afterFile(async () => {
    await Promise.all([o.server.close(), o.site.close()])
  })
})

/** Returns the answer to a target as it is written, or undefined if the connection was closed. */
function send(
  server: TestOrg['server'],
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string } | undefined> {
  const { port } = server.server.address() as { port: number }
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false })
    sent.on('response', async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part)
      resolve({ status: response.statusCode!, text: Buffer.concat(parts).toString() })
    })
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}

const ODD = [
  '*',
  '//',
  '//other/services/data',
  'other:443',
  'x',
  '?x',
  '/%',
  '/\\services',
  'http://',
  'http://?x',
  'ftp://other/',
  'http://other/nothing',
  'HTTPS://user:word@OTHER:99/services/customrest/nothing?x=1',
  '/services/customrest/%',
  '/services/customrest/%E0%A4%A',
  '/services/data/%ff',
  '/id/%ff/%ff',
]

describe('the target of a request', () => {
  test('may be a whole address, which names the host: it is no failure, on the site neither', async () => {
    const address = `http://${HOST}/services/customrest/hello?a=1`
    const authorization = `Bearer ${o.token}`
    const answer = await send(o.server, 'GET', address, { host: 'other.example.com', authorization })
    assert.deepEqual(answer, { status: 200, text: '{"a":"1"}' })
    const onSite = await send(o.site, 'GET', address, { host: 'other.example.com' })
    assert.equal(onSite?.status, 403)
    const versions = await send(o.server, 'GET', 'http://other/services/data')
    assert.equal(versions?.status, 200)
  })

  test('that is odd is answered as what is not there, at every endpoint', async () => {
    for (const [server, path] of [o.server, o.site].flatMap((one) =>
      ODD.map((path) => [one, path] as const),
    )) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'TRACE']) {
        const answer = await send(server, method, path)
        assert.ok(answer !== undefined && answer.status >= 300 && answer.status < 500, `${method} ${path}`)
      }
    }
  })

  test('of a tunnel gets none', async () => {
    for (const server of [o.server, o.site]) {
      assert.equal(await send(server, 'CONNECT', 'other:443'), undefined)
    }
  })
})
