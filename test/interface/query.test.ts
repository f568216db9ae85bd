import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, fetchRecords, fetchRefusal, fetchResult, queryPath } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'
import { SAMPLE, SAMPLES } from '../support/sample-schema.ts'

let o: TestOrg
let acme: string
let branch: string
let ada: string
let loner: string

before(async () => {
  o = await openOrg()
  await o.deploy([SAMPLE, ...PROJECT_SCHEMA])
  acme = await o.create('Account', { Name: 'Acme', Industry: 'Energy', BillingCity: 'Oslo' })
  branch = await o.create('Account', { Name: 'Branch', ParentId: acme })
  ada = await o.create('Contact', { FirstName: 'Ada', LastName: 'King', AccountId: branch })
  loner = await o.create('Contact', { LastName: 'Loner' })
})

const contact = (fields: string) => `SELECT ${fields} FROM Contact WHERE Id = '${ada}'`

describe('the result of a query', () => {
  test('has totalSize, done and records, and no nextRecordsUrl when it is done', async () => {
    const result = await fetchResult(o, 'SELECT Name FROM Account ORDER BY Name')
    assert.deepEqual(Object.keys(result), ['totalSize', 'done', 'records'])
    assert.equal(result.totalSize, 2)
    assert.equal(result.done, true)
    assert.deepEqual(result.records, [
      { attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${acme}` }, Name: 'Acme' },
      {
        attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${branch}` },
        Name: 'Branch',
      },
    ])
  })

  test('that matches nothing is empty and done', async () => {
    const result = await fetchResult(o, "SELECT Id FROM Account WHERE Name = 'nobody'")
    assert.deepEqual(result, { totalSize: 0, done: true, records: [] })
  })

  test("names each record's address in the version of the request", async () => {
    const path = `/services/data/v58.0/query?q=${encodeURIComponent(contact('Id, Account.Id'))}`
    const [record] = (await o.call('GET', path)).body.records
    assert.equal(record.attributes.url, `/services/data/v58.0/sobjects/Contact/${ada}`)
    assert.equal(record.Account.attributes.url, `/services/data/v58.0/sobjects/Account/${branch}`)
  })

  test('comes at /query and /query/, with + or %20 for a blank, and HEAD has no body', async () => {
    const text = 'SELECT Id FROM Account LIMIT 1'
    const expected = (await ask(o, text)).body
    for (const path of [
      queryPath(text).replace('/query', '/query/'),
      `/query?q=${text.replaceAll(' ', '+')}`,
      `/query/?q=${text.replaceAll(' ', '%20')}`,
    ]) {
      assert.deepEqual((await o.call('GET', path)).body, expected)
    }
    const head = await o.call('HEAD', queryPath(text))
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
  })

  test('sees a record at once after its creation and no longer after its deletion', async () => {
    const id = await o.create('Account', { Name: 'Short-lived' })
    const text = `SELECT Id FROM Account WHERE Name = 'Short-lived'`
    assert.deepEqual(await fetchRecords(o, text), [{ Id: id }])
    await o.call('DELETE', `/sobjects/Account/${id}`)
    assert.deepEqual(await fetchRecords(o, text), [])
  })
})

describe('the select list', () => {
  test('fixes the order of the keys, after the attributes', async () => {
    const [record] = (await fetchResult(o, contact('LastName, Id, CreatedDate, FirstName'))).records
    assert.deepEqual(Object.keys(record), ['attributes', 'LastName', 'Id', 'CreatedDate', 'FirstName'])
  })

  test('names objects, fields and relationships without case, and answers with their own spelling', async () => {
    const text = `select ID, lastname, ACCOUNT.name from CONTACT where lastNAME = 'King'`
    const [record] = (await fetchResult(o, text)).records
    assert.deepEqual(Object.keys(record), ['attributes', 'Id', 'LastName', 'Account'])
    assert.equal(record.attributes.type, 'Contact')
    assert.deepEqual(Object.keys(record.Account), ['attributes', 'Name'])
  })

  test('shows a field that is null as null, and the id only when it is selected', async () => {
    assert.deepEqual(await fetchRecords(o, contact('Email, LastName')), [{ Email: null, LastName: 'King' }])
  })

  test('may prefix its fields by the object or its alias', async () => {
    for (const [list, from] of [
      ['Contact.LastName, Contact.Account.Name', 'Contact'],
      ['c.LastName, c.Account.Name', 'Contact c'],
      ['C.LastName, contact.account.Name', 'Contact c'],
      ['LastName, a.Name', 'Contact c, c.Account a'],
      ['c.LastName, Contact.Account.Name', 'Contact c, Contact.Account a'],
    ]) {
      const text = `SELECT ${list} FROM ${from} WHERE LastName = 'King'`
      assert.deepEqual(await fetchRecords(o, text), [{ LastName: 'King', Account: { Name: 'Branch' } }])
    }
  })

  test('may stretch over rows and needs no blanks around punctuation', async () => {
    const text = `\tSELECT\r\nId,LastName\n,  FirstName FROM\tContact WHERE(LastName='King')ORDER BY Id`
    assert.deepEqual(await fetchRecords(o, text), [{ Id: ada, LastName: 'King', FirstName: 'Ada' }])
  })

  test('shows a compound field with its parts, null when all are', async () => {
    const text = "SELECT Name, BillingAddress, ShippingAddress FROM Account WHERE Industry = 'Energy'"
    const nothing = { country: null, geocodeAccuracy: null, latitude: null, longitude: null }
    const BillingAddress = { city: 'Oslo', ...nothing, postalCode: null, state: null, street: null }
    assert.deepEqual(await fetchRecords(o, text), [{ Name: 'Acme', BillingAddress, ShippingAddress: null }])
    assert.deepEqual(await fetchRecords(o, contact('Name')), [{ Name: 'Ada King' }])
  })

  test('shows a value of every type as a read of the record does', async () => {
    const values = SAMPLES.map(({ field, values }) => [field.name, values[1]])
    const others = {
      Long__c: 'a\nb',
      Rich__c: '<b>x</b>',
      Tags__c: 'Blue;Red',
      Boolean__c: true,
      Account__c: acme,
      Place__Latitude__s: 59.91,
      Place__Longitude__s: 10.75,
    }
    const id = await o.create('Sample__c', { ...Object.fromEntries(values), ...others })
    const read = (await o.call('GET', `/sobjects/Sample__c/${id}`)).body
    const fields = Object.keys(read).filter((name) => name !== 'attributes')
    const [record] = (await fetchResult(o, `SELECT ${fields} FROM Sample__c WHERE Id = '${id}'`)).records
    assert.deepEqual(record, read)
    assert.equal(record.Tags__c, 'Red;Blue')
    assert.equal(record.Datetime__c, '2024-02-29T12:00:00.000+0000')
    assert.equal(record.Date__c, '2024-02-29')
    assert.equal(record.Time__c, '09:30:00.000Z')
    assert.equal(record.Double__c, 0.25)
    assert.equal(record.Int__c, 0)
    assert.equal(record.Boolean__c, true)
    assert.deepEqual(record.Place__c, { latitude: 59.91, longitude: 10.75 })
    assert.equal(record.Number__c, 'S-001')
  })

  test('has no field twice, whatever its case and prefix', async () => {
    for (const [list, named] of [
      ['Id, Id', 'Id'],
      ['Id, LastName, Contact.Id', 'Contact.Id'],
      ['Account.Name, Id, Account.Name', 'Account.Name'],
      ['LastName, lastname', 'lastname'],
      ['Account.Name, Contact.Account.Name', 'Contact.Account.Name'],
    ]) {
      const { code, message } = await fetchRefusal(o, `SELECT ${list} FROM Contact`)
      assert.equal(code, 'INVALID_FIELD')
      assert.equal(message.split('\n').at(-1), `duplicate field selected: ${named}`)
    }
    assert.equal((await ask(o, 'SELECT Id, Account.Id, AccountId FROM Contact')).status, 200)
  })

  test('has no alias on a plain field', async () => {
    for (const text of ['SELECT Id Name FROM Account', 'SELECT DISTINCT Industry FROM Account']) {
      const { code, message } = await fetchRefusal(o, text)
      assert.equal(code, 'MALFORMED_QUERY')
      assert.match(message, /only aggregate expressions use field aliasing$/)
    }
  })

  test('of more columns than the database takes is refused', async () => {
    // Its address is longer than the strict rules allow.
    const lenient = await openOrg({ settings: { lenient: 'true' } })
    const columns = async (object: string): Promise<string[]> =>
      (await lenient.call('GET', `/sobjects/${object}/describe`)).body.fields.map(
        (f: { name: string }) => f.name,
      )
    const [ofAccount, ofUser] = [await columns('Account'), await columns('User')]
    const accounts = ['Account a', 'a.Parent b', 'b.Parent c', 'c.Parent d']
    const users = accounts.flatMap((_, i) =>
      ['Owner', 'CreatedBy', 'LastModifiedBy'].map(
        (name, j) => `${'abcd'[i]}.${name} ${'efghijklmnop'[3 * i + j]}`,
      ),
    )
    const managers = [...'efghijklmnop'].map((alias, i) => `${alias}.Manager ${'qrstuvwxyz'[i] ?? `z${i}`}`)
    const alias = (from: string) => from.split(' ')[1]!
    const list = [
      ...accounts.flatMap((from) => ofAccount.map((name) => `${alias(from)}.${name}`)),
      ...[...users, ...managers].flatMap((from) => ofUser.map((name) => `${alias(from)}.${name}`)),
    ].sort((a, b) => a.length - b.length)
    const from = [...accounts, ...users, ...managers].join(',')
    const { code } = await fetchRefusal(lenient, `SELECT ${list.slice(0, 1750).join(',')} FROM ${from}`)
    assert.equal(code, 'QUERY_TOO_COMPLICATED')
    const sorted = `SELECT Id FROM Account ORDER BY ${Array(1700).fill('Industry').join(',')}`
    assert.equal((await fetchRefusal(lenient, sorted)).code, 'QUERY_TOO_COMPLICATED')
  })
})

describe('a parent path', () => {
  test('gives one nested record where the parent first appears, with all that is selected of it', async () => {
    const list = 'Account.Name, LastName, Account.Parent.Industry, Account.Id, Account.Parent.Owner.Alias'
    const [record] = (await fetchResult(o, contact(list))).records
    assert.deepEqual(record, {
      attributes: { type: 'Contact', url: `/services/data/v64.0/sobjects/Contact/${ada}` },
      Account: {
        attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${branch}` },
        Name: 'Branch',
        Parent: {
          attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${acme}` },
          Industry: 'Energy',
          Owner: {
            attributes: { type: 'User', url: `/services/data/v64.0/sobjects/User/${o.userId}` },
            Alias: 'admin',
          },
        },
        Id: branch,
      },
      LastName: 'King',
    })
    assert.deepEqual(Object.keys(record), ['attributes', 'Account', 'LastName'])
    assert.deepEqual(Object.keys(record.Account), ['attributes', 'Name', 'Parent', 'Id'])
  })

  test('gives null for a parent that is not there, at every level', async () => {
    const text = `SELECT Account.Name, Account.Parent.Name FROM Contact WHERE Id = '${loner}'`
    assert.deepEqual(await fetchRecords(o, text), [{ Account: null }])
    const higher = await fetchRecords(
      o,
      contact('Account.Parent.Parent.Parent.Name, Account.Parent.Parent.Name'),
    )
    assert.deepEqual(higher, [{ Account: { Parent: { Parent: null } } }])
  })

  test('follows custom relationships by their __r name', async () => {
    const project = await o.create('Project__c', { Name: 'P', Account__c: acme })
    await o.create('Milestone__c', { Name: 'M', Project__c: project })
    const text = "SELECT Project__r.Account__r.Name, Name FROM Milestone__c WHERE Project__r.Name = 'P'"
    const expected = { Project__r: { Account__r: { Name: 'Acme' } }, Name: 'M' }
    assert.deepEqual(await fetchRecords(o, text), [expected])
    const { code } = await fetchRefusal(o, 'SELECT Project__c.Name FROM Milestone__c')
    assert.equal(code, 'INVALID_FIELD')
  })

  test('may follow five relationships, not six', async () => {
    const five = 'Account.Parent.Parent.Owner.Manager'
    assert.deepEqual(await fetchRecords(o, contact(`${five}.Name`)), [
      { Account: { Parent: { Parent: null } } },
    ])
    for (const text of [
      `SELECT ${five}.Manager.Name FROM Contact`,
      `SELECT Id FROM Contact WHERE ${five}.Manager.Name = 'x'`,
      `SELECT Id FROM Contact ORDER BY ${five}.Manager.Name`,
    ]) {
      assert.equal((await fetchRefusal(o, text)).code, 'INVALID_FIELD')
    }
  })

  test('may be in conditions and orders without being selected', async () => {
    const text = "SELECT LastName FROM Contact WHERE Account.Parent.Name = 'Acme' ORDER BY Account.Name"
    assert.deepEqual(await fetchRecords(o, text), [{ LastName: 'King' }])
  })

  test('keeps records without the parent, unless a condition needs it', async () => {
    const all = await fetchRecords(
      o,
      'SELECT LastName FROM Contact ORDER BY Account.Name NULLS LAST, LastName',
    )
    assert.deepEqual(all, [{ LastName: 'King' }, { LastName: 'Loner' }])
    const either = "WHERE Account.Name = 'Nobody' OR LastName = 'Loner'"
    assert.deepEqual(await fetchRecords(o, `SELECT LastName FROM Contact ${either}`), [{ LastName: 'Loner' }])
  })

  test('may lead to 55 different parents, not to 56', async () => {
    const below = (paths: string[]) =>
      paths.flatMap((path) => ['Manager', 'CreatedBy', 'LastModifiedBy'].map((name) => `${path}.${name}`))
    const people = ['Owner', 'CreatedBy', 'LastModifiedBy']
    const users = [...people, ...below(people), ...below(below(people))]
    const parents = [...users, 'Parent', ...users.map((path) => `Parent.${path}`)]
    const selecting = (count: number) =>
      `SELECT ${parents.slice(0, count).map((path) => `${path}.Id, ${path}.SystemModstamp`)} FROM Account`
    assert.equal((await ask(o, selecting(55))).status, 200)
    assert.equal((await fetchRefusal(o, selecting(56))).code, 'QUERY_TOO_COMPLICATED')
  })
})
