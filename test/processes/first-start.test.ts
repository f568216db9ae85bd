import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { credentialsIn, fetchToken, startServer } from '../support/server-process.ts'

/* First starts with the image of a database that `npm ci` makes, in a copy of this checkout. */

interface FirstStart {
  readonly app: { readonly clientId: string; readonly clientSecret: string }
  readonly password: string
  readonly secretKey: string
  readonly token: string
  /** The values that differ between two orgs. */
  readonly org: { readonly id: string; readonly createdAt: string }
  /** Objects and fields. */
  readonly schema: unknown
  readonly files: readonly string[]
}

describe('a first start with the image of a database', ON_EMBEDDED, () => {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-first-'))
  let checkout: Checkout
  before(() => {
    checkout = copyCheckout()
    checkout.prepare()
  })
  after(() => {
    checkout?.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  async function startFirst(name: string): Promise<FirstStart> {
    const data = join(folder, name)
    const begunAt = Date.now()
    const server = await startServer(
      { OBJECTRY_DATA: data, OBJECTRY_SECRET_KEY: '' },
      [],
      [],
      checkout.command,
    )
    try {
      const app = credentialsIn(server.greeting)!
      const token = await fetchToken(server.address, app)
      const get = async (path: string) => {
        const headers = { authorization: `Bearer ${token}` }
        const response = await fetch(`${server.address}/services/data/v64.0${path}`, { headers })
        assert.equal(response.status, 200, path)
        // Links name the port.
        const text = (await response.text()).replaceAll(server.address, '')
        return { body: JSON.parse(text), changed: response.headers.get('last-modified') }
      }
      const query = async (text: string) =>
        ((await get(`/query?q=${encodeURIComponent(text)}`)).body as { records: Record<string, string>[] })
          .records
      const [org] = await query('SELECT Id, CreatedDate FROM Organization')
      assert.ok(Date.parse(org!.CreatedDate!) >= begunAt - 1000, 'the org was made at this start')
      const describe = await get('/sobjects/Account/describe')
      assert.ok(Date.parse(describe.changed!) >= begunAt - 1000, 'its schema too')
      assert.equal((await query('SELECT Id FROM User')).length, 2)
      return {
        app,
        token,
        password: /password +(\S+)/.exec(server.greeting)![1]!,
        secretKey: readFileSync(join(data, 'secret.key'), 'utf8'),
        org: { id: org!.Id!, createdAt: org!.CreatedDate! },
        schema: describe.body,
        files: readdirSync(join(data, 'database/base')),
      }
    } finally {
      await server.end('SIGTERM')
    }
  }

  let withImage: FirstStart

  test('makes its own secrets, key, password and tokens', async () => {
    const [one, other] = [await startFirst('one'), await startFirst('other')]
    assert.notEqual(one.app.clientId, other.app.clientId)
    assert.notEqual(one.app.clientSecret, other.app.clientSecret)
    assert.notEqual(one.password, other.password)
    assert.notEqual(one.secretKey, other.secretKey)
    assert.notEqual(one.token, other.token)
    // The engine makes three.
    assert.equal(one.files.length, 1, 'the image has one database')
    withImage = one
  })

  test('makes the org that a start without the image makes', async () => {
    for (const name of checkout.list('build/server')) {
      if (name.startsWith('database-')) checkout.remove(`build/server/${name}`)
    }
    const without = await startFirst('without')
    assert.equal(without.files.length, 3)
    assert.equal(without.org.id, withImage.org.id)
    assert.deepEqual(without.schema, withImage.schema)
  })

  test('makes the database itself when the image cannot be used', async () => {
    checkout.prepare()
    const [image] = checkout.list('build/server').filter((name) => name.startsWith('database-'))
    checkout.replace(`build/server/${image}`, 'no image')
    assert.equal((await startFirst('broken')).files.length, 3)
  })
})
