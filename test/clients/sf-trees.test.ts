import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import type { TestOrg } from '../support/org.ts'
import { openSfClient, SF_NEEDED, type Sf, type SfClient } from '../support/sf.ts'
import { account, contact, type Fields, family } from '../support/sf-files.ts'

/* Trees in and out by the sf command of the registry, unmodified, over a real port: `npm run test:sf`. */

let o: TestOrg
let sf: Sf
let close: SfClient['close']

describe('trees by the sf command', SF_NEEDED, () => {
  before(async () => {
    ;({ o, sf, close } = await openSfClient())
  })
  after(() => close())

  describe('an import of a tree', () => {
    test('from a file brings the children with their parents', async () => {
      sf.write('family.json', family('From a file', { LastName: 'Child' }))
      const { status, result } = await sf.json('data', 'import', 'tree', '-f', 'family.json')
      assert.equal(status, 0)
      assert.deepEqual(
        result.map(({ refId, type, id }: Fields) => [refId, type, String(id).slice(0, 3)]),
        [
          ['AccountRef1', 'Account', '001'],
          ['ContactRef1', 'Contact', '003'],
        ],
      )
      const contacts = "SELECT LastName FROM Contact WHERE Account.Name = 'From a file'"
      assert.deepEqual(await fetchRecords(o, contacts), [{ LastName: 'Child' }])
    })

    test('from several files sends each', async () => {
      sf.write('one.json', { records: [account('one', { Name: 'Several 1' })] })
      sf.write('two.json', { records: [contact('two', { LastName: 'Several 2' })] })
      const { out } = await sf.ask('data', 'import', 'tree', '-f', 'one.json', '-f', 'two.json')
      assert.match(out, /one +│ Account │ 001/)
      assert.match(out, /two +│ Contact │ 003/)
    })

    test('from a plan fills in references, also those within a file', async () => {
      sf.write('accounts.json', {
        records: [
          account('AccountRef1', { Name: 'Plan top' }),
          account('AccountRef2', { Name: 'Plan sub', ParentId: '@AccountRef1' }),
        ],
      })
      sf.write('contacts.json', {
        records: [
          contact('ContactRef1', { LastName: 'Of top', AccountId: '@AccountRef1' }),
          contact('ContactRef2', { LastName: 'Of sub', AccountId: '@AccountRef2' }),
        ],
      })
      sf.write('plan.json', [
        { sobject: 'Account', files: ['accounts.json'] },
        { sobject: 'Contact', files: ['contacts.json'] },
      ])
      const { status, result } = await sf.json('data', 'import', 'tree', '-p', 'plan.json')
      assert.deepEqual([status, result.length], [0, 4])
      const text =
        "SELECT LastName, Account.Name, Account.Parent.Name FROM Contact WHERE Account.Name LIKE 'Plan %' ORDER BY LastName"
      assert.deepEqual(await fetchRecords(o, text), [
        { LastName: 'Of sub', Account: { Name: 'Plan sub', Parent: { Name: 'Plan top' } } },
        { LastName: 'Of top', Account: { Name: 'Plan top', Parent: null } },
      ])
    })

    test('of more than 200 records is sent in parts when it comes from a plan', async () => {
      const records = Array.from({ length: 250 }, (_, n) => account(`AccountRef${n}`, { Name: `Many ${n}` }))
      sf.write('many.json', { records })
      sf.write('many-plan.json', [{ sobject: 'Account', files: ['many.json'] }])
      const { result } = await sf.json('data', 'import', 'tree', '-p', 'many-plan.json')
      assert.equal(result.length, 250)
      assert.equal((await fetchNames(o, "Account WHERE Name LIKE 'Many %'")).length, 250)
    })

    test('of more than 200 records in one file is refused with the limit', async () => {
      const records = Array.from({ length: 201 }, (_, n) =>
        account(`AccountRef${n}`, { Name: `Too many ${n}` }),
      )
      sf.write('too-many.json', { records })
      const answer = await sf.json('data', 'import', 'tree', '-f', 'too-many.json')
      assert.deepEqual(
        [answer.status, answer.name, answer.message],
        [1, 'INVALID_INPUT', 'A request may have at most 200 records'],
      )
    })

    test('of which a record fails shows that record in a table, and nothing is stored', async () => {
      sf.write('bad.json', family('Fails', { FirstName: 'Nameless' }))
      const { code, error, out } = await sf.ask('data', 'import', 'tree', '-f', 'bad.json')
      assert.equal(code, 1)
      assert.match(out, /ContactRef1 +│ REQUIRED_FIELD_MISSING +│ .*\[LastName\] +│ LastName/)
      assert.match(error, /Data Import failed/)
      const { data } = await sf.json('data', 'import', 'tree', '-f', 'bad.json')
      assert.deepEqual(data, [
        {
          referenceId: 'ContactRef1',
          StatusCode: 'REQUIRED_FIELD_MISSING',
          Message: 'Required fields are missing: [LastName]',
          fields: 'LastName',
        },
      ])
      assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'Fails'"), [])
    })

    test('with the same reference twice shows each of the two', async () => {
      sf.write('twice.json', { records: [1, 2].map(() => account('AccountRef1', { Name: 'Twice' })) })
      const { data } = await sf.json('data', 'import', 'tree', '-f', 'twice.json')
      assert.deepEqual(
        data.map(({ referenceId, StatusCode }: Fields) => [referenceId, StatusCode]),
        [
          ['AccountRef1', 'INVALID_INPUT'],
          ['AccountRef1', 'INVALID_INPUT'],
        ],
      )
    })

    test('with a field that does not exist names it and its object', async () => {
      sf.write('unknown.json', family('Unknown', { LastName: 'a', Nope__c: 1 }))
      const { name, message } = await sf.json('data', 'import', 'tree', '-f', 'unknown.json')
      assert.equal(name, 'FlsError')
      assert.match(message, /access to Nope__c on Contact/)
      assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'Unknown'"), [])
    })
  })

  describe('an export of a tree', () => {
    const text =
      "SELECT Name, (SELECT LastName FROM Contacts) FROM Account WHERE Name LIKE 'Export%' ORDER BY Name"

    before(async () => {
      for (const name of ['Export A', 'Export B']) {
        const AccountId = await o.create('Account', { Name: name })
        await o.create('Contact', { LastName: `${name} child`, AccountId })
      }
    })

    test('writes a file that can be imported again', async () => {
      const { out, error } = await sf.ask('data', 'export', 'tree', '-q', text, '-d', 'file')
      assert.match(out, /wrote 2 records/, error)
      const { records } = JSON.parse(sf.read('file/Account-Contact.json'))
      assert.deepEqual(
        records.map(({ Name, Contacts }: { Name: string; Contacts: { records: Fields[] } }) => [
          Name,
          Contacts.records.map(({ LastName }) => LastName),
        ]),
        [
          ['Export A', ['Export A child']],
          ['Export B', ['Export B child']],
        ],
      )
      const { result } = await sf.json('data', 'import', 'tree', '-f', 'file/Account-Contact.json')
      assert.equal(result.length, 4)
      assert.equal((await fetchNames(o, "Contact WHERE Account.Name = 'Export B'")).length, 2)
    })

    test('with a plan writes files whose references can be imported again', async () => {
      await sf.ask('data', 'export', 'tree', '-q', text, '-d', 'plan', '--plan')
      const before = (await fetchNames(o, "Contact WHERE Account.Name LIKE 'Export%'")).length
      assert.match(sf.read('plan/Contact.json'), /@AccountRef1/)
      const { status } = await sf.json('data', 'import', 'tree', '-p', 'plan/Account-Contact-plan.json')
      assert.equal(status, 0)
      const after = (await fetchNames(o, "Contact WHERE Account.Name LIKE 'Export%'")).length
      assert.equal(after, 2 * before)
    })
  })
})
