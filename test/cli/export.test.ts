import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { ON_EMBEDDED } from '../support/engine.ts'
import { type ImportLocation, openImportLocation } from '../support/import-location.ts'

/* `objectry export`, and the way back by `objectry import` into another org. */

let from: ImportLocation
let to: ImportLocation
let toTrees: ImportLocation

const quote = 'He said ""no, never""\nand left'

before(async () => {
  from = await openImportLocation('export')
  to = await openImportLocation('export_to')
  toTrees = await openImportLocation('export_trees')
  const csv = async (object: string, text: string) => {
    const { code, error } = await from.run(['import', from.write(`${object}.csv`, text), '--object', object])
    assert.deepEqual([code, error], [0, ''])
  }
  // The child stands before its parent's parent.
  await csv(
    'Account',
    `Key__c,Name,NumberOfEmployees,Description\nK1,Acme,12,"${quote}"\nK2,Sub,,\nK3,Top,7,@none\n`,
  )
  const update = from.write('parents.csv', 'Key__c,Parent.Key__c\nK1,K2\nK2,K3\n')
  await from.run(['import', update, '--object', 'Account', '--operation', 'upsert', '--key', 'Key__c'])
  await csv(
    'Contact',
    'LastName,Birthdate,HasOptedOutOfEmail,Account.Key__c\nByron,1815-12-10,true,K1\nHopper,,false,K1\nPascal,,,K3\n',
  )
})
after(async () => {
  await from.remove()
  await to.remove()
  await toTrees.remove()
})

const ACCOUNTS =
  'SELECT Key__c, Name, NumberOfEmployees, Description, Parent.Key__c FROM Account ORDER BY Key__c'
const CONTACTS =
  'SELECT LastName, Birthdate, HasOptedOutOfEmail, Account.Key__c FROM Contact ORDER BY LastName'

const run = async (location: ImportLocation, ...args: string[]) => {
  const said = await location.run(args)
  assert.equal(said.code, 0, said.error)
  return said
}

/** Both orgs answer a query alike. */
async function assertSame(there: ImportLocation, soql: string): Promise<void> {
  const values = await from.values(soql)
  assert.ok(values.length > 1)
  assert.deepEqual(await there.values(soql), values)
}

describe('an export', ON_EMBEDDED, () => {
  test('of a query is CSV or JSON, to standard output or a file', async () => {
    const { out } = await run(from, 'export', ACCOUNTS)
    assert.equal(
      out,
      `Key__c,Name,NumberOfEmployees,Description,Parent.Key__c\r\nK1,Acme,12,"${quote}",K2\r\nK2,Sub,,,K3\r\nK3,Top,7,@none,\r\n`,
    )
    const file = from.path('accounts.json')
    await run(from, 'export', ACCOUNTS, '--format', 'json', '--output', file)
    assert.deepEqual(
      JSON.parse(from.read('accounts.json')).map(({ Name }: { Name: string }) => Name),
      ['Acme', 'Sub', 'Top'],
    )
  })

  test('of an object has what an import may write and the id; all fields where they are wanted', async () => {
    const [head] = (await run(from, 'export', '--object', 'contact')).out.split('\r\n')
    const columns = head!.split(',')
    assert.deepEqual(
      ['Id', 'LastName', 'MailingCity', 'Name', 'MailingAddress', 'CreatedDate'].map((name) =>
        columns.includes(name),
      ),
      [true, true, true, false, false, false],
    )
    const [all] = (await run(from, 'export', '--object', 'Contact', '--all-fields')).out.split('\r\n')
    for (const name of ['Id', 'Name', 'MailingAddress', 'CreatedDate'])
      assert.ok(all!.split(',').includes(name))
  })

  test('for spreadsheets has no cell that is a formula, and comes back as it was', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', "'=x", "''+", "'plain", 'a;=1', '-', "it's"]
    const rows = texts.map((text, n) => `Formula ${n},Acme,"${text}",${n === 0 ? -1 : n}`)
    const file = from.write(
      'formulas.csv',
      `LastName,Company,Description,NumberOfEmployees\n${rows.join('\n')}\n`,
    )
    await run(from, 'import', file, '--object', 'Lead')
    const soql = 'SELECT LastName, Company, Description, NumberOfEmployees FROM Lead ORDER BY LastName'
    const safe = from.path('safe.csv')
    const { out } = await run(from, 'export', soql, '--safe-for-spreadsheets')
    await run(from, 'export', soql, '--safe-for-spreadsheets', '--output', safe)
    assert.match(
      out,
      /^"LastName","Company","Description","NumberOfEmployees"\r\n"Formula 0","Acme","'=1\+1","-1"\r\n/,
    )
    assert.doesNotMatch(out, /(?:^|,)"(?:[=+@\t\r]|-\D)/m)
    assert.match(out, /"a;=1"/)
    const back = ['--object', 'Lead', '--safe-for-spreadsheets']
    await run(to, 'import', safe, ...back)
    await assertSame(to, soql)
    for (const args of [
      ['export', soql, '--format', 'json', '--safe-for-spreadsheets'],
      ['import', from.write('a.json', '[{"Name":"x"}]'), ...back],
    ]) {
      const { code, error } = await from.run(args)
      assert.deepEqual([code, /is for CSV/.test(error)], [2, true])
    }
  })

  test('says what is missing', async () => {
    for (const [args, message] of [
      [[], /a query, or an object with --object Account/],
      [['SELECT Id FROM Account', '--object', 'Account'], /a query, or an object/],
      [['--object', 'Acount'], /Did you mean Account\?/],
      [['--object', 'Account', '--object', 'Contact'], /--format tree/],
      [['--object', 'Account', '--object', 'Contact', '--format', 'tree'], /several objects.*--output data/],
    ] as const) {
      const { code, error } = await from.run(['export', ...args])
      assert.equal(code, args[1] === 'Acount' ? 1 : 2)
      assert.match(error, message)
    }
  })

  test('says which file or folder cannot be made', async () => {
    const csv = from.path('missing/a.csv')
    assert.equal(
      (await from.run(['export', ACCOUNTS, '--output', csv])).error,
      `${csv} cannot be opened: no such file or directory\n`,
    )
    const folder = from.path('file')
    writeFileSync(folder, '')
    const trees = ['export', '--object', 'Account', '--format', 'tree', '--output', folder]
    assert.equal((await from.run(trees)).error, `${folder} cannot be made: file already exists\n`)
  })
})

describe('what was exported comes into another org as it was', () => {
  test('as CSV, with parents by their keys', async () => {
    await run(from, 'export', ACCOUNTS, '--output', from.path('a.csv'))
    await run(from, 'export', CONTACTS, '--output', from.path('c.csv'))
    // Parents come before what points to them: first the records, then the way up.
    await run(to, 'import', from.path('a.csv'), '--object', 'Account', '--map', 'Parent.Key__c=')
    const upsert = ['--operation', 'upsert', '--key', 'Key__c', '--results', to.path('a2.csv')]
    await run(to, 'import', from.path('a.csv'), '--object', 'Account', ...upsert)
    await run(to, 'import', from.path('c.csv'), '--object', 'Contact')
    await assertSame(to, ACCOUNTS)
    await assertSame(to, CONTACTS)
  })

  test('as trees of several objects, which refer to each other by name', async () => {
    const folder = from.path('trees')
    const objects = ['--object', 'Account', '--object', 'Contact']
    const { error } = await run(from, 'export', ...objects, '--format', 'tree', '--output', folder)
    assert.match(
      error,
      /Left out, because what they point to .*: Account\.OwnerId of 3 records, Contact\.OwnerId of 3/,
    )
    assert.deepEqual(readdirSync(folder).sort(), [
      'Account-Contact-plan.json',
      'Account.json',
      'Contact.json',
    ])
    const { records } = JSON.parse(from.read('trees/Account.json'))
    assert.deepEqual(records[0], {
      attributes: { type: 'Account', referenceId: 'AccountRef1' },
      Name: 'Top',
      NumberOfEmployees: 7,
      Description: '@none',
      Key__c: 'K3',
    })
    assert.equal(records[1].ParentId, '@AccountRef1')
    await run(toTrees, 'import', `${folder}/Account-Contact-plan.json`)
    await assertSame(toTrees, ACCOUNTS)
    await assertSame(toTrees, CONTACTS)
  })

  test('as trees with the records below others in them, without ids and what no import may write', async () => {
    const soql =
      'SELECT Id, Name, CreatedDate, (SELECT LastName, AccountId, Birthdate FROM Contacts ORDER BY LastName) FROM Account ORDER BY Name'
    const file = from.path('families.json')
    const { error } = await run(from, 'export', soql, '--format', 'tree', '--output', file)
    assert.match(error, /Left out, because no import may write them: Account\.CreatedDate\n/)
    const { records } = JSON.parse(from.read('families.json'))
    assert.deepEqual(records[0], {
      attributes: { type: 'Account', referenceId: 'AccountRef1' },
      Name: 'Acme',
      Contacts: {
        records: [
          {
            attributes: { type: 'Contact', referenceId: 'ContactRef1' },
            LastName: 'Byron',
            Birthdate: '1815-12-10',
          },
          { attributes: { type: 'Contact', referenceId: 'ContactRef2' }, LastName: 'Hopper' },
        ],
      },
    })
    assert.deepEqual(Object.keys(records[1]), ['attributes', 'Name'])
    await run(toTrees, 'import', file)
    const twice = "SELECT LastName, Account.Name FROM Contact WHERE LastName = 'Byron'"
    assert.deepEqual(await toTrees.values(twice), ['Byron,Acme', 'Byron,Acme'])
  })

  test('as trees of more than 200 records, in several files with a plan', async () => {
    const chain = Array.from({ length: 250 }, (_, n) => `M${n},Many ${n},${n === 0 ? '' : `M${n - 1}`}\n`)
    const file = from.write('many.csv', `Key__c,Name,Site\n${chain.join('')}`)
    await run(from, 'import', file, '--object', 'Account')
    const soql = "SELECT Key__c, Name, Site FROM Account WHERE Name LIKE 'Many %' ORDER BY Key__c"
    const single = await from.run(['export', soql, '--format', 'tree', '--output', from.path('many.json')])
    assert.match(single.error, /more than 200 records: .*--output data/)
    await run(from, 'export', soql, '--format', 'tree', '--output', from.path('many'))
    assert.deepEqual(readdirSync(from.path('many')).sort(), [
      'Account-1.json',
      'Account-2.json',
      'Account-plan.json',
    ])
    await run(toTrees, 'import', from.path('many/Account-plan.json'))
    await assertSame(toTrees, soql)
  })
})
