import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { queryPath } from '../../support/ask.ts'
import { openTrapsClient, type TrapsClient } from '../../support/traps-client.ts'

/* Writes of clients, and the answers to them. */

let as: TrapsClient['as']
let o: TrapsClient['o']
let conn: TrapsClient['conn']
let close: TrapsClient['close']

before(async () => {
  ;({ as, o, conn, close } = await openTrapsClient())
})
after(() => close())

// 16
test('sf: numbers and booleans that arrive as texts are stored as what their fields are', async () => {
  const sf = as('sf')
  const texts = { Count__c: '5', Ratio__c: '1.250', Price__c: '44000.50', Share__c: '12.5', Flag__c: 'true' }
  const { status, body } = await sf.post('/sobjects/Specimen__c', {
    Name: 'Texts',
    ...texts,
    Raised__c: 'false',
  })
  assert.equal(status, 201)
  const fields = 'Count__c,Ratio__c,Price__c,Share__c,Flag__c,Raised__c'
  const read = async () => {
    const {
      attributes: _a,
      Id: _i,
      ...values
    } = (await sf.get(`/sobjects/Specimen__c/${body.id}?fields=${fields}`)).body
    return values
  }
  const stored = {
    Count__c: 5,
    Ratio__c: 1.25,
    Price__c: 44000.5,
    Share__c: 12.5,
    Flag__c: true,
    Raised__c: false,
  }
  assert.deepEqual(await read(), stored)
  const changed = await sf.patch(`/sobjects/Specimen__c/${body.id}`, { Count__c: '-7', Flag__c: 'false' })
  assert.equal(changed.status, 204)
  assert.deepEqual(await read(), { ...stored, Count__c: -7, Flag__c: false })
})

// 16
test('n8n: names of objects and fields may be small, the answer has them as they are', async () => {
  const client = as('n8n')
  const sent = { name: 'Small', numberofemployees: '7', key__c: 'n8n' }
  const { status, body } = await client.post('/sobjects/account', sent)
  assert.equal(status, 201)
  const { id } = body
  const record = {
    attributes: { type: 'Account', url: `${client.base}/sobjects/Account/${id}` },
    Id: id,
    Name: 'Small',
    NumberOfEmployees: 7,
  }
  const read = await client.get(`/sobjects/ACCOUNT/${id}?fields=id,name,numberofemployees`)
  assert.deepEqual(read.body, record)
  assert.deepEqual(Object.keys(read.body).toSorted(), Object.keys(record).toSorted())
  const found = await client.get(
    queryPath(`select id, name, numberofemployees from account where key__c = 'n8n'`),
  )
  assert.deepEqual(found.body.records, [record])
  const upserted = await client.patch('/sobjects/account/KEY__C/n8n', { name: 'Changed' })
  assert.deepEqual(upserted.body, { id, success: true, errors: [], created: false })
})

// 16
test('django-salesforce: an empty text of a blank field is stored as null', async () => {
  const client = as('djangoSalesforce')
  const { body } = await client.post('/sobjects/Account', { Name: 'Blank', Phone: '', Website: '' })
  const { Phone, Website } = (await client.get(`/sobjects/Account/${body.id}`)).body
  assert.deepEqual([Phone, Website], [null, null])
})

// 17
test('all clients: a create answers with an id of 18 characters, success and errors', async () => {
  const created = async (
    name: 'simpleSalesforce' | 'restforce' | 'goSalesforce' | 'n8n' | 'djangoSalesforce',
  ) => {
    const { status, body } = await as(name).post('/sobjects/Account', { Name: name })
    assert.equal(status, 201)
    return body
  }
  for (const name of ['simpleSalesforce', 'restforce', 'goSalesforce', 'n8n', 'djangoSalesforce'] as const) {
    const { id, ...more } = await created(name)
    assert.match(id, /^001[0-9A-Za-z]{15}$/)
    assert.deepEqual(more, { success: true, errors: [] })
  }
  const { id, ...more } = await conn.sobject('Account').create({ Name: 'jsforce' })
  assert.match(id!, /^001[0-9A-Za-z]{15}$/)
  assert.deepEqual(more, { success: true, errors: [] })
})

// 17
test('all clients: every record has its type and its address, a parent and a child too', async () => {
  const client = as('restforce')
  const account = await o.create('Account', { Name: 'Parent' })
  const contact = await o.create('Contact', { LastName: 'Child', AccountId: account })
  const of = (type: string, id: string) => ({ type, url: `${client.base}/sobjects/${type}/${id}` })
  const fetchRecords = async (text: string, resource = '/query') =>
    (await client.get(queryPath(text).replace('/query', resource))).body.records
  const below = `SELECT Name, (SELECT LastName FROM Contacts) FROM Account WHERE Id = '${account}'`
  for (const resource of ['/query', '/queryAll']) {
    const [parent] = await fetchRecords(below, resource)
    assert.deepEqual(parent.attributes, of('Account', account))
    assert.deepEqual(parent.Contacts.records[0].attributes, of('Contact', contact))
  }
  const [child] = await fetchRecords(`SELECT LastName, Account.Name FROM Contact WHERE Id = '${contact}'`)
  assert.deepEqual(child.attributes, of('Contact', contact))
  assert.deepEqual(child.Account.attributes, of('Account', account))
  assert.deepEqual((await client.get(`/sobjects/Contact/${contact}`)).body.attributes, of('Contact', contact))
  const [listed] = (await client.get(`/composite/sobjects/Contact?ids=${contact}&fields=Id`)).body
  assert.deepEqual(listed.attributes, of('Contact', contact))
  const { searchRecords } = (await client.get('/search?q=FIND+%7BChild%7D+RETURNING+Contact(LastName)')).body
  assert.deepEqual(
    searchRecords.map(({ attributes }: { attributes: unknown }) => attributes),
    [of('Contact', contact)],
  )
  const [group] = await fetchRecords('SELECT COUNT(Id) many FROM Contact GROUP BY AccountId')
  assert.deepEqual(group.attributes, { type: 'AggregateResult' })
})
