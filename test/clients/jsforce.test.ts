import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SignJWT } from 'jose'
import { Connection } from 'jsforce'
import { approve } from '../../src/auth/authorize/approvals.ts'
import { issueCode } from '../../src/auth/tokens/authorization-codes.ts'
import { systemClock } from '../../src/base/clock.ts'
import { accountId, makeAccounts, removeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { makeCertificate } from '../support/certificate.ts'
import { authorize, catchError, type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'
import { makeApp } from '../support/make-app.ts'
import type { TestOrg } from '../support/org.ts'

/* The jsforce of the registry, unmodified, over a real port. */

let o: TestOrg
let loginUrl: string
let conn: Connection
let calls: JsforceClient['calls']
let connect: JsforceClient['connect']
let close: JsforceClient['close']

before(async () => {
  ;({ o, loginUrl, conn, calls, connect, close } = await openJsforceClient())
})
after(() => close())

describe('signing in', () => {
  test('by client credentials gives the user and the org of the connected app', async () => {
    const fresh = connect()
    const info = await authorize(fresh)
    assert.equal(info.id, o.userId)
    assert.equal(info.organizationId, o.org.id)
    assert.equal(fresh.instanceUrl, loginUrl)
    assert.match(fresh.accessToken!, /^00D/)
  })

  test('with a wrong secret is refused in the words of OAuth', async () => {
    const fresh = connect({ oauth2: { loginUrl, clientId: o.clientId, clientSecret: 'wrong' } })
    const error = await catchError(authorize(fresh))
    assert.equal(error.name, 'invalid_client')
  })

  test('tells who one is, from the token answer and from a token alone', async () => {
    for (const connection of [conn, connect({ instanceUrl: loginUrl, accessToken: conn.accessToken! })]) {
      const identity = await connection.identity()
      assert.equal(identity.user_id, o.userId)
      assert.equal(identity.organization_id, o.org.id)
      assert.equal(identity.username, 'admin@objectry.test')
    }
  })

  test('happens again by itself when the token is no longer valid, and the call is repeated', async () => {
    let refreshed = 0
    const stale = connect({
      instanceUrl: loginUrl,
      accessToken: `${o.org.id.slice(0, 15)}!expired`,
      refreshFn: async (_connection, done) => {
        refreshed++
        const fresh = connect()
        await authorize(fresh)
        done(null, fresh.accessToken!)
      },
    })
    const { totalSize } = await stale.query('SELECT Id FROM Organization')
    assert.equal(totalSize, 1)
    assert.equal(refreshed, 1)
    await stale.query('SELECT Id FROM Organization')
    assert.equal(refreshed, 1)
  })

  test('by a refresh token happens by itself when the token was revoked', async () => {
    const scopes = ['api', 'refresh_token']
    const [clientId, redirectUri] = [await makeApp(o, { scopes }), 'https://app.example.com/cb']
    const { org, userId, db } = o
    const oauth2 = { loginUrl, clientId, clientSecret: 's', redirectUri, useVerifier: true }
    const fresh = connect({ oauth2 })
    const challenge = new URL(fresh.oauth2.getAuthorizationUrl({})).searchParams.get('code_challenge')!
    const code = await issueCode(db, systemClock, { clientId, org, userId, scopes, redirectUri, challenge })
    await fresh.authorize(code)
    const first = fresh.accessToken!
    await fresh.oauth2.revokeToken(first)
    assert.equal((await fresh.query('SELECT Id FROM Organization')).totalSize, 1)
    assert.notEqual(fresh.accessToken, first)
    await fresh.oauth2.revokeToken(fresh.refreshToken!)
    const error = await catchError(fresh.query('SELECT Id FROM Organization'))
    assert.match(error.message, /Unable to refresh session due to: expired access\/refresh token$/)
  })

  test('by an assertion that the client has signed gives the user', async () => {
    const { privateKey, certificate } = makeCertificate()
    const app = { enableJwtBearer: true, certificates: certificate, scopes: ['api', 'refresh_token'] }
    const clientId = await makeApp(o, app)
    const approved = { org: o.org, clientId, userId: o.userId, scopes: app.scopes }
    await approve(o.db, systemClock, approved)
    const claims = { iss: clientId, sub: 'admin@objectry.test', aud: loginUrl }
    const assertion = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256' })
      .setExpirationTime('3m')
      .sign(privateKey)
    const fresh = connect()
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    const info = await fresh.authorize({ grant_type, assertion })
    assert.equal(info.id, o.userId)
    assert.equal((await fresh.query('SELECT Id FROM Organization')).totalSize, 1)
  })

  test('is asked for with INVALID_SESSION_ID when there is no way to refresh', async () => {
    const stale = new Connection({ instanceUrl: loginUrl, accessToken: 'invalid', version: '64.0' })
    assert.equal((await catchError(stale.query('SELECT Id FROM Organization'))).name, 'INVALID_SESSION_ID')
  })
})

describe('records', () => {
  test('are created, read, updated and deleted', async () => {
    const accounts = conn.sobject('Account')
    const created = await accounts.create({ Name: 'Acme', NumberOfEmployees: 3, AnnualRevenue: 1000.5 })
    assert.equal(created.success, true)
    const id = created.id!
    assert.match(id, /^001\w{15}$/)
    const read = await accounts.retrieve(id)
    assert.equal(read.Name, 'Acme')
    assert.equal(read.NumberOfEmployees, 3)
    assert.deepEqual(read.attributes, { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${id}` })
    const updated = await accounts.update({ Id: id, Name: 'Acme & Co', NumberOfEmployees: null })
    assert.equal(updated.success, true)
    const [found] = await accounts.find({ Id: id }, ['Name', 'NumberOfEmployees']).execute()
    assert.equal(found!.Name, 'Acme & Co')
    assert.equal(found!.NumberOfEmployees, null)
    assert.equal((await accounts.destroy(id)).success, true)
    assert.equal((await catchError(accounts.retrieve(id))).name, 'NOT_FOUND')
    assert.equal((await catchError(accounts.destroy(id))).name, 'ENTITY_IS_DELETED')
  })

  test('are refused under the names of their errors', async () => {
    const accounts = conn.sobject('Account')
    assert.equal((await catchError(accounts.create({}))).name, 'REQUIRED_FIELD_MISSING')
    assert.equal((await catchError(accounts.create({ Name: 'a', Nope: 1 }))).name, 'INVALID_FIELD')
    assert.equal((await catchError(accounts.retrieve('001000000000001AAA'))).name, 'NOT_FOUND')
    assert.equal((await catchError(conn.sobject('Nope').create({ Name: 'a' }))).name, 'NOT_FOUND')
    assert.equal((await catchError(conn.query('SELECT'))).name, 'MALFORMED_QUERY')
    assert.equal((await catchError(conn.query('SELECT Nope FROM Account'))).name, 'INVALID_FIELD')
    assert.equal((await catchError(conn.query('SELECT Id FROM Nope'))).name, 'INVALID_TYPE')
    assert.equal((await catchError(conn.queryMore('0r8000000000001AAA-200'))).name, 'INVALID_QUERY_LOCATOR')
  })

  test('are upserted: 201 creates, 200 updates, 204 before version 46.0', async () => {
    const upsert = (connection: Connection, name: string) =>
      connection.sobject('Account').upsert({ Key__c: 'k 1', Name: name }, 'Key__c')
    calls.length = 0
    const created = await upsert(conn, 'first')
    assert.deepEqual([created.success, created.created], [true, true])
    const updated = await upsert(conn, 'second')
    assert.deepEqual([updated.success, updated.created, updated.id], [true, false, created.id])
    const older = connect({ version: '45.0', instanceUrl: loginUrl, accessToken: conn.accessToken! })
    await upsert(older, 'third')
    const statuses = calls.map((call) => call.status)
    assert.deepEqual(statuses, [201, 200, 204])
    const { records } = await conn.query("SELECT Id, Name FROM Account WHERE Key__c = 'k 1'")
    assert.deepEqual(
      records.map(({ Id, Name }) => [Id, Name]),
      [[created.id, 'third']],
    )
  })

  test('of an ambiguous key are reported as multiple choices, and nothing is changed', async () => {
    const accounts = conn.sobject('Account')
    const twins = [1, 2].map(() => accounts.create({ Name: 'Twin', Loose_Key__c: 'same' }))
    const ids = (await Promise.all(twins)).map((result) => result.id)
    const error = await catchError(accounts.upsert({ Loose_Key__c: 'same', Name: 'Changed' }, 'Loose_Key__c'))
    assert.equal(error.name, 'MULTIPLE_CHOICES')
    const urls = ids.map((id) => `/services/data/v64.0/sobjects/Account/${id}`)
    assert.deepEqual([...(error.data as string[])].sort(), urls.sort())
    const { totalSize } = await conn.query("SELECT Id FROM Account WHERE Name = 'Twin'")
    assert.equal(totalSize, 2)
  })
})

describe('5,000 rows', () => {
  const text = "SELECT Id, Name FROM Account WHERE Name LIKE 'account %' ORDER BY Name"
  before(async () => {
    await removeAccounts(o)
    await writeAccounts(o, makeAccounts(5000))
  })

  for (const [batchSize, pages] of [
    [200, 25],
    [2000, 3],
  ] as const) {
    for (const query of [text, 'SELECT Id, Name FROM Account']) {
      test(`arrive by autoFetch in pages of ${batchSize}: ${query}`, async () => {
        calls.length = 0
        const headers = { 'Sforce-Query-Options': `batchSize=${batchSize}` }
        const { records, totalSize, done } = await conn.query(query, {
          autoFetch: true,
          maxFetch: 10_000,
          headers,
        })
        assert.equal(totalSize, 5000)
        assert.equal(done, true)
        assert.deepEqual(
          records.map(({ Id }) => Id),
          Array.from({ length: 5000 }, (_, n) => accountId(n)),
        )
        assert.equal(calls.length, pages)
      })
    }
  }

  test('end at maxFetch', async () => {
    const { records, totalSize } = await conn.query(text, { autoFetch: true, maxFetch: 2500 })
    assert.equal(records.length, 2500)
    assert.equal(totalSize, 5000)
  })

  test('come page by page through queryMore', async () => {
    let result = await conn.query<{ Name: string }>(text)
    const sizes = [result.records.length]
    while (!result.done) {
      result = await conn.queryMore<{ Name: string }>(result.nextRecordsUrl!)
      sizes.push(result.records.length)
    }
    assert.deepEqual(sizes, [2000, 2000, 1000])
    assert.equal(result.records.at(-1)!.Name, 'account 4999')
  })

  test('are counted', async () => {
    assert.equal((await conn.query('SELECT COUNT() FROM Account')).totalSize, 5000)
    assert.equal(await conn.sobject('Account').count({ NumberOfEmployees: { $lt: 100 } }), 100)
  })
})

describe('describe', () => {
  test('lists all objects', async () => {
    const { sobjects, maxBatchSize } = await conn.describeGlobal()
    assert.equal(maxBatchSize, 200)
    for (const name of ['Account', 'Contact', 'Opportunity', 'User'])
      assert.equal(sobjects.filter((object) => object.name === name && object.queryable).length, 1)
  })

  test('tells everything of one, its custom fields too, and jsforce can select them all', async () => {
    const { name, keyPrefix, fields, childRelationships } = await conn.sobject('Account').describe()
    assert.equal(name, 'Account')
    assert.equal(keyPrefix, '001')
    const key = fields.find((field) => field.name === 'Key__c')!
    assert.deepEqual([key.externalId, key.unique, key.type, key.custom], [true, true, 'string', true])
    assert.ok(childRelationships.some((child) => child.relationshipName === 'Contacts'))
    const [record] = await conn.sobject('Account').find({}, '*').limit(1).execute()
    assert.deepEqual(
      Object.keys(record!).toSorted(),
      ['attributes', ...fields.map((field) => field.name)].toSorted(),
    )
  })

  test('is remembered by the cached variants', async () => {
    await conn.describe$('Contact')
    calls.length = 0
    await conn.describe$('Contact')
    assert.deepEqual(calls, [])
  })
})
