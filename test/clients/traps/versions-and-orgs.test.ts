import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Connection } from 'jsforce'
import { queryPath } from '../../support/ask.ts'
import { openTrapsClient, type TrapsClient } from '../../support/traps-client.ts'
import type { WireClientName } from '../../support/wire-clients.ts'

/* Questions of clients to a server before they work. */

let as: TrapsClient['as']
let o: TrapsClient['o']
let traps: TrapsClient

before(async () => {
  traps = await openTrapsClient()
  ;({ as, o } = traps)
})
after(() => traps.close())

interface Version {
  readonly label: string
  readonly url: string
  readonly version: string
}

// 11
test('sf: the greatest version by its text is the newest', async () => {
  const { status, body } = await as('sf').get('/services/data')
  assert.equal(status, 200)
  const versions: Version[] = body
  for (const { label, url, version, ...more } of versions) {
    assert.match(version, /^\d\d\.0$/)
    assert.equal(url, `/services/data/v${version}`)
    assert.match(label, /^(Winter|Spring|Summer) '\d\d$/)
    assert.deepEqual(more, {})
  }
  const texts = versions.map(({ version }) => version)
  const greatest = texts.toSorted().at(-1)!
  assert.equal(Number(greatest), Math.max(...texts.map(Number)))
  assert.equal((await as('sf').get(`/services/data/v${greatest}/sobjects`)).status, 200)
})

// 12
for (const [title, name, version] of [
  ['jsforce, as old as 42.0', undefined, '42.0'],
  ['jsforce, its default', undefined, undefined],
  ['sf, its probe at log-in', 'sf', '51.0'],
  ['sf, a project of 52.0', 'sf', '52.0'],
  ['simple-salesforce', 'simpleSalesforce', '59.0'],
  ['n8n', 'n8n', '59.0'],
  ['tap-salesforce', 'tap', '61.0'],
  ['django-salesforce', 'djangoSalesforce', '66.0'],
] as const satisfies readonly (readonly [string, WireClientName | undefined, string | undefined])[]) {
  test(`${title}: version ${version ?? '50.0'} is served`, async () => {
    const text = 'SELECT Id FROM Organization'
    if (name === undefined) {
      const connection = new Connection({
        ...(version !== undefined && { version }),
        instanceUrl: traps.loginUrl,
        accessToken: o.token,
      })
      assert.equal(connection.version, version ?? '50.0')
      const [record] = (await connection.query(text)).records
      assert.equal(
        record!.attributes!.url,
        `/services/data/v${connection.version}/sobjects/Organization/${o.org.id}`,
      )
      return
    }
    const { status, body } = await as(name).get(`/services/data/v${version}${queryPath(text)}`)
    assert.equal(status, 200)
    assert.equal(
      body.records[0].attributes.url,
      `/services/data/v${version}/sobjects/Organization/${o.org.id}`,
    )
  })
}

// 12
test('restforce: its default version 26.0 is retired unless the server is set to serve it', async () => {
  const path = `/services/data/v26.0${queryPath('select id from Organization')}`
  const retired = await as('restforce').get(path)
  assert.deepEqual([retired.status, retired.body[0].errorCode], [410, 'GONE'])
  const older = await openTrapsClient({ versions: '26-68', retiredVersions: '7-25' })
  try {
    const { status, body } = await older.as('restforce').get(path)
    assert.deepEqual([status, body.records[0].Id], [200, older.o.org.id])
  } finally {
    await older.close()
  }
})

// 13
test('sf: an org is no hub, for it does not know ScratchOrgInfo', async () => {
  for (const version of ['51.0', '64.0']) {
    const path = `/services/data/v${version}/query?q=SELECT%20Id%20FROM%20ScratchOrgInfo%20limit%201`
    const { status, body } = await as('sf').get(path)
    assert.deepEqual([status, body[0].errorCode], [400, 'INVALID_TYPE'])
  }
})

// 14
test('sf: the org shows its name, instance, kind and edition, and the name of the user', async () => {
  const sf = as('sf')
  const fields = 'Name,InstanceName,IsSandbox,TrialExpirationDate,NamespacePrefix,OrganizationType'
  const { body } = await sf.get(queryPath(`SELECT ${fields} FROM Organization`))
  const [{ attributes, ...org }] = body.records
  assert.equal(body.totalSize, 1)
  assert.deepEqual(Object.keys(org), fields.split(','))
  assert.equal(org.Name, 'Test')
  assert.ok(typeof org.InstanceName === 'string' && org.InstanceName !== '')
  assert.deepEqual([org.IsSandbox, org.TrialExpirationDate, org.NamespacePrefix], [false, null, null])
  assert.equal(org.OrganizationType, 'Developer Edition')
  const info = await sf.get('/services/oauth2/userinfo')
  const user = await sf.get(`/services/data/v51.0/sobjects/User/${info.body.user_id}`)
  assert.deepEqual([user.status, user.body.Username], [200, 'admin@objectry.test'])
})

// 14
test('restforce: the id of the org is found by a query in small letters', async () => {
  const { body } = await as('restforce').get('/query?q=select%20id%20from%20Organization')
  assert.deepEqual(
    body.records.map(({ Id }: { Id: string }) => Id),
    [o.org.id],
  )
})
