import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Connection } from 'jsforce'
import { fetchNames } from '../../support/ask.ts'
import { openOrg } from '../../support/org.ts'
import { openTrapsClient, type TrapsClient } from '../../support/traps-client.ts'
import { writeDeployment } from '../../support/trigger-files.ts'
import { wireClient } from '../../support/wire-clients.ts'

/* Addresses and bodies that clients write in their own way. */

let traps: TrapsClient
let as: TrapsClient['as']
let o: TrapsClient['o']
let conn: Connection

before(async () => {
  traps = await openTrapsClient()
  ;({ as, o, conn } = traps)
})
after(() => traps.close())

// 1
test('sf: a path with two slashes at its start is the path with one', async () => {
  const sf = as('sf')
  for (const path of [
    '/services/data',
    `/services/data/v51.0/sobjects/User/${o.userId}?fields=Username`,
    '/services/data/v64.0/query?q=SELECT%20Username%20FROM%20User',
    '/services/oauth2/userinfo',
  ]) {
    const [one, two] = [await sf.get(path), await sf.get(`/${path}`)]
    assert.deepEqual([two.status, two.body], [200, one.body], path)
  }
})

// 2
test('simple-salesforce: a slash at the end of a resource, before the query too, changes nothing', async () => {
  const client = as('simpleSalesforce')
  const created = await client.post('/sobjects/Account/', { Name: 'Slash' })
  assert.equal(created.status, 201)
  const found = await client.get('/query/?q=SELECT+Name+FROM+Account+WHERE+Name+%3D+%27Slash%27')
  assert.deepEqual([found.status, found.body.totalSize, found.body.done], [200, 1, true])
  for (const path of ['/queryAll/?q=SELECT+Name+FROM+Account', '/limits/', '/sobjects/Account/describe/'])
    assert.equal((await client.get(path)).status, 200, path)
})

// 2
test('all clients: the list of versions has a slash at its end or has none', async () => {
  const [without, withSlash] = [await as('sf').get('/services/data'), await as('sf').get('/services/data/')]
  assert.deepEqual([withSlash.status, withSlash.body], [200, without.body])
})

// 2
test('go-salesforce: a slash comes before the query of a list of ids', async () => {
  const client = as('goSalesforce')
  const id = await o.create('Account', { Name: 'Listed' })
  const { status, body } = await client.send('DELETE', `/composite/sobjects/?ids=${id}&allOrNone=true`)
  assert.deepEqual([status, body], [200, [{ id, success: true, errors: [] }]])
  assert.equal((await client.get('/query/?q=SELECT+Id+FROM+User')).body.done, true)
})

// 2
test('restforce: the address of a version with a slash at its end tells who one is', async () => {
  const client = as('restforce')
  const { identity } = (await client.get('/')).body
  const { body } = await client.get(new URL(identity).pathname)
  assert.deepEqual([body.user_id, body.organization_id], [o.userId, o.org.id])
})

// 2
test('jsforce: the address of a version without a slash tells who one is; an explained query has one', async () => {
  assert.equal((await conn.identity()).user_id, o.userId)
  const { plans } = await conn.query("SELECT Name FROM Account WHERE Name = 'x'").explain()
  assert.equal(plans[0]!.sobjectType, 'Account')
})

// 3
for (const [title, name] of [
  ['sf: a DELETE with a content type and neither a body nor its length', 'sf'],
  ['simple-salesforce: a DELETE with a content type and a length of 0', 'simpleSalesforce'],
  ['django-salesforce: a DELETE with a length of 0 and no content type', 'djangoSalesforce'],
] as const) {
  test(`${title} deletes`, async () => {
    const client = as(name)
    const path = `/sobjects/Account/${await o.create('Account', { Name: 'To be deleted' })}`
    const { status, text } = await client.send('DELETE', path)
    assert.deepEqual([status, text], [204, ''])
    assert.equal((await client.get(path)).status, 404)
  })
}

// 3
test('sf, simple-salesforce: a GET with the content type of a body that it does not have reads', async () => {
  const id = await o.create('Account', { Name: 'Read' })
  for (const name of ['sf', 'simpleSalesforce'] as const)
    for (const length of [undefined, { 'Content-Length': '0' }]) {
      const { status, body } = await as(name).get(`/sobjects/Account/${id}?fields=Name`, length)
      assert.deepEqual([status, body.Name], [200, 'Read'])
    }
})

// 22
test('go-salesforce: a packed body is unpacked', async () => {
  const client = as('goSalesforce')
  const packed = (body: unknown) => ({
    body: gzipSync(JSON.stringify(body)),
    headers: { 'Content-Encoding': 'gzip' },
  })
  const single = await client.send('POST', '/sobjects/Account', packed({ Name: 'Packed alone' }))
  assert.deepEqual([single.status, single.body.success], [201, true])
  const records = [{ attributes: { type: 'Account' }, Name: 'Packed together' }]
  const url = `${client.base}/composite/sobjects`
  const steps = { compositeRequest: [{ method: 'POST', url, referenceId: 'a', body: { records } }] }
  const { body } = await client.send('POST', '/composite', packed(steps))
  assert.equal(body.compositeResponse[0].body[0].success, true)
  assert.deepEqual(await fetchNames(o, "Account WHERE Name LIKE 'Packed%' ORDER BY Name"), [
    'Packed alone',
    'Packed together',
  ])
})

// 30
test('jsforce, simple-salesforce, restforce: a custom resource is below apexrest and below customrest', async () => {
  const echo = `export default { path: '/echo', GET: () => 'got', POST: ({ body }) => ({ posted: body.text }) }`
  const { server, token } = await openOrg({ deployment: writeDeployment({ 'resources/echo.ts': echo }) })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  try {
    const apex = new Connection({ instanceUrl: address, accessToken: token }).apex
    assert.equal(await apex.get('/echo'), 'got')
    const python = wireClient('simpleSalesforce', address, token)
    const ruby = wireClient('restforce', address, token)
    for (const prefix of ['/services/apexrest', '/services/customrest']) {
      const posted = await python.post(`${prefix}/echo`, { text: 'hello' })
      assert.deepEqual([posted.status, posted.body], [200, { posted: 'hello' }], prefix)
      const got = await ruby.get(`${prefix}/echo`)
      assert.deepEqual([got.status, got.body], [200, 'got'], prefix)
    }
  } finally {
    await server.close()
  }
})
