import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Connection } from 'jsforce'
import { catchError } from '../support/jsforce-client.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* Custom resources as jsforce calls them, unmodified, over a real port. */

const RESOURCES = {
  'resources/accounts.ts': `
    import { HttpError } from 'objectry'
    export default {
      path: '/accounts/*',
      GET: async ({ params }, org) => (await org.read('Account', params['*'], ['Name', 'Phone'])) ?? null,
      async POST({ body }, org) { const [{ id }] = await org.create('Account', [body]); return id },
      async PATCH({ params, body }, org) { await org.update('Account', [{ Id: params['*'], ...body }]) },
      async DELETE({ params }, org) { await org.delete('Account', [params['*']]) },
      PUT() { throw new HttpError(409, 'there is one') },
    }`,
}

describe('the apex methods of jsforce', () => {
  let o: TestOrg
  let conn: Connection

  before(async () => {
    o = await openOrg({ deployment: writeDeployment(RESOURCES) })
    const instanceUrl = await o.server.listen({ host: '127.0.0.1', port: 0 })
    conn = new Connection({ instanceUrl, accessToken: o.token, version: '64.0' })
  })
  after(() => o.server.close())

  test('create, read, change and delete through a custom resource', async () => {
    const id = await conn.apex.post<string>('/accounts/', { Name: 'Acme', Phone: '1' })
    assert.match(id, /^001/)
    const read = async () => conn.apex.get<{ Name: string; Phone?: string } | null>(`/accounts/${id}`)
    assert.equal((await read())!.Name, 'Acme')
    await conn.apex.patch(`/accounts/${id}`, { Phone: null })
    assert.equal((await read())!.Phone, undefined)
    await conn.apex.del(`/accounts/${id}`)
    assert.equal(await read(), null)
  })

  test('get errors as errors', async () => {
    const refused = await catchError(conn.apex.post('/accounts/', {}))
    assert.equal(refused.name, 'APEX_ERROR')
    const unknown = await catchError(conn.apex.get('/nothing'))
    assert.deepEqual([unknown.name, unknown.message], ['NOT_FOUND', 'Could not find a match for URL'])
    await assert.rejects(conn.apex.put('/accounts/x', {}))
  })
})
