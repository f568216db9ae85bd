import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fetchNames, fetchRecords } from '../../support/ask.ts'
import { catchError } from '../../support/jsforce-client.ts'
import { openTrapsClient, type TrapsClient } from '../../support/traps-client.ts'

/* How clients name records. */

let as: TrapsClient['as']
let o: TrapsClient['o']
let conn: TrapsClient['conn']
let close: TrapsClient['close']

before(async () => {
  ;({ as, o, conn, close } = await openTrapsClient())
  await o.create('Account', { Name: 'Twin 1', Loose_Key__c: 'same' })
  await o.create('Account', { Name: 'Twin 2', Loose_Key__c: 'same' })
})
after(() => close())

const twins = async (version: string) => {
  const { body } = await o.call('GET', "/query?q=SELECT+Id+FROM+Account+WHERE+Loose_Key__c+=+'same'")
  return body.records.map(
    ({ Id }: { Id: string }) => `/services/data/v${version}/sobjects/Account/${Id}`,
  ) as string[]
}

// 9
test('jsforce: a key that two records have is reported as MULTIPLE_CHOICES with their addresses', async () => {
  const upsert = conn.sobject('Account').upsert({ Loose_Key__c: 'same', Name: 'Changed' }, 'Loose_Key__c')
  const { name, data } = await catchError(upsert)
  assert.equal(name, 'MULTIPLE_CHOICES')
  assert.deepEqual((data as string[]).toSorted(), (await twins('64.0')).toSorted())
})

// 9
test('simple-salesforce, restforce: a key that two records have answers 300 with a list of addresses', async () => {
  const path = '/sobjects/Account/Loose_Key__c/same'
  for (const [name, version] of [
    ['simpleSalesforce', '59.0'],
    ['restforce', '62.0'],
  ] as const) {
    for (const answer of [await as(name).get(path), await as(name).patch(path, { Name: 'Changed' })]) {
      assert.equal(answer.status, 300)
      assert.deepEqual(answer.body.toSorted(), (await twins(version)).toSorted())
    }
  }
  const { body } = await as('restforce').get("/query?q=SELECT+Id+FROM+Account+WHERE+Name+=+'Changed'")
  assert.equal(body.totalSize, 0)
})

const keysLike = async (pattern: string) =>
  (await fetchRecords(o, `SELECT Key__c FROM Account WHERE Key__c LIKE '${pattern}' ORDER BY Key__c`)).map(
    ({ Key__c }) => Key__c,
  )

// 24
test('jsforce: a key of an upsert that it has not encoded is the key', async () => {
  const keys = ['j + k', 'j k', 'j+m', 'jä'].toSorted()
  for (const Key__c of keys) {
    const upsert = () => conn.sobject('Account').upsert({ Key__c, Name: Key__c }, 'Key__c')
    assert.deepEqual([(await upsert()).created, (await upsert()).created], [true, false], Key__c)
  }
  assert.deepEqual((await keysLike('j%')).toSorted(), keys)
})

// 24
test('simple-salesforce: a blank of a key may be written as %20 or as +', async () => {
  const client = as('simpleSalesforce')
  await client.patch('/sobjects/Account/Key__c/two%20words', { Name: 'first' })
  assert.deepEqual(await keysLike('two%'), ['two words'])
  for (const written of ['two%20words', 'two+words']) {
    const read = await client.get(`/sobjects/Account/Key__c/${written}`)
    assert.deepEqual([read.status, read.body.Key__c], [200, 'two words'], written)
    assert.equal((await client.patch(`/sobjects/Account/Key__c/${written}`, { Name: written })).status, 200)
  }
  assert.deepEqual(await keysLike('two%'), ['two words'])
})

// 24
test('simple-salesforce: a + that is encoded, or that is in the key itself, is not a blank', async () => {
  await o.create('Account', { Name: 'plus', Key__c: '1+1' })
  await o.create('Account', { Name: 'blank', Key__c: '1 1' })
  for (const written of ['1+1', '1%2B1']) {
    const { body } = await as('simpleSalesforce').get(`/sobjects/Account/Key__c/${written}`)
    assert.equal(body.Name, 'plus', written)
  }
})

// 25
test('all clients: an id of 15 characters is the id of 18, everywhere', async () => {
  const id = await o.create('Account', { Name: 'Both' })
  const contact = await o.create('Contact', { LastName: 'Both', AccountId: id.slice(0, 15) })
  const client = as('goSalesforce')
  const fetchContacts = async (condition: string) =>
    (await fetchRecords(o, `SELECT Id, AccountId FROM Contact WHERE ${condition}`)).map(
      ({ Id, AccountId }) => [Id, AccountId],
    )
  const step = (url: string) => ({
    compositeRequest: [{ method: 'GET', url: `${client.base}${url}`, referenceId: 'a' }],
  })
  for (const one of [id, id.slice(0, 15)]) {
    const path = `/sobjects/Account/${one}`
    assert.equal((await client.get(`${path}?fields=Name`)).body.Id, id)
    assert.equal((await client.patch(path, { Phone: one })).status, 204)
    assert.equal((await client.get(`/sobjects/Account/Id/${one}`)).body.Phone, one)
    assert.equal((await client.get(`/sobjects/Account/${one}/describe`)).status, 404)
    for (const condition of [
      `AccountId = '${one}'`,
      `Account.Id IN ('${one}')`,
      `AccountId != NULL AND Id = '${contact}'`,
    ])
      assert.deepEqual(await fetchContacts(condition), [[contact, id]], condition)
    const read = await client.get(`/composite/sobjects/Account?ids=${one}&fields=Id`)
    assert.equal(read.body[0].Id, id)
    const [updated] = (
      await client.patch('/composite/sobjects', {
        records: [{ attributes: { type: 'Account' }, id: one, Phone: '2' }],
      })
    ).body
    assert.deepEqual(updated, { id, success: true, errors: [] })
    const [composed] = (await client.post('/composite', step(path))).body.compositeResponse
    assert.equal(composed.body.Id, id)
    const batchRequests = [{ method: 'GET', url: `v63.0${path}` }]
    assert.equal((await client.post('/composite/batch', { batchRequests })).body.results[0].result.Id, id)
  }
  const { body } = await client.send('DELETE', `/composite/sobjects?ids=${contact.slice(0, 15)}`)
  assert.deepEqual(body, [{ id: contact, success: true, errors: [] }])
  assert.equal((await client.send('DELETE', `/sobjects/Account/${id.slice(0, 15)}`)).status, 204)
  assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'Both'"), [])
})
