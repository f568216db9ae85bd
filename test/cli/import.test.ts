import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnCommand } from '../support/command-process.ts'
import { ON_EMBEDDED, onPostgres } from '../support/engine.ts'
import { type ImportLocation, openImportLocation } from '../support/import-location.ts'
import { account, contact, family, writePlan } from '../support/sf-files.ts'
import { deploymentWith } from '../support/trigger-files.ts'

/* `objectry import` as people run it, with files. */

let location: ImportLocation

before(async () => {
  location = await openImportLocation('import')
})
after(() => location.remove())

const run = (file: string, ...args: string[]) => location.run(['import', location.path(file), ...args])

/** Runs an import in which every row must be written. */
async function succeed(file: string, ...args: string[]): Promise<void> {
  const { code, out, error } = await run(file, ...args)
  assert.deepEqual([code, error], [0, ''])
  assert.match(out, /^[\d,]+ rows? written: see /)
}

/** The lines of a file of results, without ids. */
const resultsIn = (file: string) =>
  location
    .read(file)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.replace(/\b00[13]\w{15}\b/, 'ID'))

describe('a CSV file', ON_EMBEDDED, () => {
  test('becomes records: names in any case, quoted cells, a byte order mark, blank lines', async () => {
    location.write(
      'plain.csv',
      '\ufeffname,NUMBEROFEMPLOYEES,Description\r\nPlain 1,12,"He said ""no, never""\nand left"\r\n\r\nPlain 2,,\r\n',
    )
    await succeed('plain.csv', '--object', 'account')
    assert.deepEqual(
      await location.values(
        "SELECT Name, NumberOfEmployees, Description FROM Account WHERE Name LIKE 'Plain%' ORDER BY Name",
      ),
      ['Plain 1,12,"He said ""no, never""\nand left"', 'Plain 2,,'],
    )
    assert.deepEqual(resultsIn('plain.csv.results.csv'), [
      'row,id,created,errorCode,message,fields',
      '1,ID,true,,,',
      '2,ID,true,,,',
    ])
  })

  test('has columns for other fields, for none, and for parents by their keys', async () => {
    location.write('parents.csv', 'Name,Key__c\nParent,P1\n')
    await succeed('parents.csv', '--object', 'Account')
    location.write('children.csv', 'Family name;Account.Key__c;Boss;Age\nMapped;P1;admin@objectry.local;7\n')
    const maps = ['Family name=LastName', 'Boss=User:Owner.Username', 'Age=']
    await succeed(
      'children.csv',
      ...['--object', 'Contact', '--delimiter', ';', ...maps.flatMap((entry) => ['--map', entry])],
    )
    assert.deepEqual(
      await location.values(
        "SELECT LastName, Account.Name, Owner.Username FROM Contact WHERE LastName = 'Mapped'",
      ),
      ['Mapped,Parent,admin@objectry.local'],
    )
  })

  test('with other marks between its cells than commas is refused with the flag for them', async () => {
    for (const [mark, flag] of [
      [';', "';'"],
      ['\t', 'tab'],
      ['|', "'|'"],
    ] as const) {
      location.write('marks.csv', `Name${mark}Industry\na${mark}b\n`)
      const { code, error } = await run('marks.csv', '--object', 'Account')
      assert.equal(code, 1)
      assert.ok(error.includes(`try --delimiter ${flag}. Nothing was written.`), error)
    }
  })

  test('with columns that are no fields is refused before anything is written, with what may be meant', async () => {
    location.write('strange.csv', 'Account Name,Industy,Id,Owner.Username,Parent.Phone,Foo\nx,y,z,a,b,c\n')
    const { code, out, error } = await run('strange.csv', '--object', 'Account')
    assert.deepEqual([code, out], [1, ''])
    assert.equal(
      error,
      `Some columns cannot be written into Account:
  "Account Name": there is no field Account Name. Did you mean --map 'Account Name=Name'?
  "Industy": there is no field Industy. Did you mean --map 'Industy=Industry'?
  "Id": an insert cannot write it
  "Parent.Phone": records of Account are found by Id, Name, Key__c, not by Phone
  "Foo": there is no field Foo.
Nothing was written. Give a column another field with --map 'column=Field', or leave it out with --map 'column='.
`,
    )
    assert.equal(existsSync(location.path('strange.csv.results.csv')), false)
    const mapped = await run('strange.csv', '--object', 'Account', '--map', 'Nome=Name')
    assert.match(mapped.error, /--map names columns that the file does not have: Nome\. Nothing was written/)
    assert.match(
      (await run('strange.csv', '--object', 'Acount')).error,
      /no object Acount .* Did you mean Account\?/,
    )
  })

  test('with rows that are refused has the others written; corrected, they can be tried again', async () => {
    location.write('some.csv', 'Name,NumberOfEmployees\nSome 1,1\nSome 2,many\nSome 3\n,4\nSome 5,5\n')
    const { code, out, error } = await run('some.csv', '--object', 'Account')
    assert.deepEqual([code, out], [1, ''])
    const path = location.path('some.csv')
    assert.equal(
      error,
      `2 of 5 rows written, 3 refused: see ${path}.results.csv
Correct the refused rows where they stand in ${path}, and try them again:
  objectry import ${path} --object Account --retry ${path}.results.csv
`,
    )
    const lines = resultsIn('some.csv.results.csv')
    assert.equal(
      lines[2],
      '2,,,INVALID_TYPE_ON_FIELD_IN_RECORD,"Row 2, column NumberOfEmployees: value not of required type int: many",NumberOfEmployees',
    )
    assert.match(lines[3]!, /^3,,,INVALID_INPUT,"The row has 1 cells, the header 2/)
    assert.equal(lines[4], '4,,,REQUIRED_FIELD_MISSING,Required fields are missing: [Name],Name')
    location.write('some.csv', 'Name,NumberOfEmployees\nSome 1,1\nSome 2,2\nSome 3,3\n,4\nSome 5,5\n')
    const again = await run('some.csv', '--object', 'Account', '--retry', `${path}.results.csv`)
    assert.match(again.error, /^2 of 3 rows written, 1 refused: see .*some\.csv\.results-2\.csv\n/)
    assert.deepEqual(resultsIn('some.csv.results-2.csv').slice(0, 3), [
      'row,id,created,errorCode,message,fields',
      '2,ID,true,,,',
      '3,ID,true,,,',
    ])
    assert.deepEqual(
      await location.values("SELECT Name FROM Account WHERE Name LIKE 'Some%' ORDER BY Name"),
      ['Some 1', 'Some 2', 'Some 3', 'Some 5'],
    )
  })

  test('has dates, numbers and words for true and false as the flags say', async () => {
    const object = ['--object', 'Contact', '--map', 'Born=Birthdate', '--map', 'Mails=HasOptedOutOfEmail']
    location.write(
      'people.csv',
      'LastName;Born;Mails\nLocal 1;31.12.1999;JA\nLocal 2;1.2.2003;nein\nLocal 3;02/03/2004;yes\n',
    )
    const flags = [...object, '--delimiter', ';', '--booleans', 'ja/nein']
    assert.match((await run('people.csv', ...flags, '--dates', 'd.MM.yyyy')).error, /^1 of 3 rows written/)
    assert.deepEqual(resultsIn('people.csv.results.csv').slice(1), [
      '1,ID,true,,,',
      '2,,,INVALID_TYPE_ON_FIELD_IN_RECORD,"Row 2, column Born: not a date as d.MM.yyyy: 1.2.2003",Birthdate',
      '3,,,INVALID_TYPE_ON_FIELD_IN_RECORD,"Row 3, column Born: not a date as d.MM.yyyy: 02/03/2004",Birthdate',
    ])
    const results = location.path('people.csv.results.csv')
    location.write('people.csv', 'LastName;Born;Mails\n-;;\nLocal 2;1.2.2003;nein\nLocal 3;29.2.2004;Ja\n')
    await succeed('people.csv', ...flags, '--dates', 'd.M.yyyy', '--retry', results)
    const people =
      "SELECT LastName, Birthdate, HasOptedOutOfEmail FROM Contact WHERE LastName LIKE 'Local %' ORDER BY LastName"
    assert.deepEqual(await location.values(people), [
      'Local 1,1999-12-31,true',
      'Local 2,2003-02-01,false',
      'Local 3,2004-02-29,true',
    ])

    location.write(
      'sums.csv',
      'Name,AnnualRevenue,NumberOfEmployees,BillingLatitude\nSum 1,1.234.567,1 200,"-0,25"\nSum 2,7,12,"12,5"\nSum 3,1.25,1,\n',
    )
    await run('sums.csv', '--object', 'Account', '--decimal', ',')
    assert.equal(
      resultsIn('sums.csv.results.csv')[3],
      '3,,,INVALID_TYPE_ON_FIELD_IN_RECORD,"Row 3, column AnnualRevenue: not a number as 1.234,5: 1.25",AnnualRevenue',
    )
    const sums =
      "SELECT AnnualRevenue, NumberOfEmployees, BillingLatitude FROM Account WHERE Name LIKE 'Sum %' ORDER BY Name"
    assert.deepEqual(await location.values(sums), ['1234567,1200,-0.25', '7,12,12.5'])
  })

  test('has yes and no as bulk jobs take them', async () => {
    location.write('plain.csv', 'LastName,DoNotCall\nPlain 1,Yes\nPlain 2,0\nPlain 3,perhaps\n')
    await run('plain.csv', '--object', 'Contact')
    assert.equal(
      resultsIn('plain.csv.results.csv')[3],
      '3,,,INVALID_TYPE_ON_FIELD_IN_RECORD,"Row 3, column DoNotCall: value not of required type boolean: perhaps",DoNotCall',
    )
    const plain = "SELECT DoNotCall FROM Contact WHERE LastName LIKE 'Plain %' ORDER BY LastName"
    assert.deepEqual(await location.values(plain), ['true', 'false'])
  })

  test('is refused with forms that say nothing', async () => {
    location.write('forms.csv', 'Name\nForm\n')
    const wrong = [
      ['--dates', 'dd.MM.yy'],
      ['--dates', 'dd.dd.yyyy'],
      ['--decimal', ';'],
      ['--booleans', 'ja'],
    ] as const
    for (const flags of wrong) {
      const { code, error } = await run('forms.csv', '--object', 'Account', ...flags)
      assert.equal(code, 2)
      assert.ok(error.startsWith(flags[0]), error)
    }
    location.write('forms.json', '[{"Name":"Form"}]')
    const { error } = await run('forms.json', '--object', 'Account', '--decimal', ',')
    assert.equal(error, '--decimal is for CSV.\n')
    assert.deepEqual(await location.values("SELECT Name FROM Account WHERE Name = 'Form'"), [])
  })

  test('updates and upserts; an empty cell leaves the field alone unless it is to be null', async () => {
    location.write('first.csv', 'Key__c,Name,Phone,Site\nU1,Up 1,1,a\nU2,Up 2,2,b\n')
    await succeed('first.csv', '--object', 'Account')
    location.write('upsert.csv', 'Key__c,Name,Phone,Site\nu1,Up 1b,,\nU3,Up 3,,none\n')
    await succeed(
      'upsert.csv',
      ...['--object', 'Account', '--operation', 'upsert', '--key', 'key__c', '--null', 'none'],
    )
    assert.deepEqual(resultsIn('upsert.csv.results.csv').slice(1), ['1,ID,false,,,', '2,ID,true,,,'])
    const all = "SELECT Name, Phone, Site FROM Account WHERE Name LIKE 'Up%' ORDER BY Key__c"
    assert.deepEqual(await location.values(all), ['Up 1b,1,a', 'Up 2,2,b', 'Up 3,,'])
    const [id] = await location.values("SELECT Id FROM Account WHERE Name = 'Up 2'")
    location.write('update.csv', `Id,Phone,Site\n${id},,c\n`)
    await succeed('update.csv', '--object', 'Account', '--operation', 'update', '--empty-as-null')
    assert.deepEqual(await location.values(all), ['Up 1b,1,a', 'Up 2,,c', 'Up 3,,'])
    const keyless = await run(
      'update.csv',
      '--object',
      'Account',
      '--operation',
      'upsert',
      '--key',
      'Key__c',
      '--map',
      'Id=',
    )
    assert.match(keyless.error, /no column Key__c, by which records are found/)
  })

  test('that was imported is not imported twice, unless that is wanted or it has changed', async () => {
    const count = () => location.values("SELECT COUNT(Id) FROM Account WHERE Name = 'Once'")
    location.write('once.csv', 'Name\nOnce\n')
    await succeed('once.csv', '--object', 'Account')
    const { code, out, error } = await run('once.csv', '--object', 'Account')
    assert.equal(code, 0)
    assert.match(out, /^1 row written: see /)
    assert.match(
      error,
      /was imported already, so nothing is done\. To write its rows once more: --restart\n$/,
    )
    assert.deepEqual(await count(), ['1'])
    await succeed('once.csv', '--object', 'Account', '--restart')
    assert.deepEqual(await count(), ['2'])
    appendFileSync(location.path('once.csv'), 'Once\n')
    await succeed('once.csv', '--object', 'Account')
    assert.deepEqual(await count(), ['4'])
  })

  test('is imported again into an org that was put back', async () => {
    const names = () => location.values("SELECT Name FROM Account WHERE Name = 'Put back'")
    location.write('back.csv', 'Name\nPut back\n')
    assert.equal((await location.run(['snapshot', 'save', 'before'])).code, 0)
    await succeed('back.csv', '--object', 'Account')
    assert.equal((await location.run(['snapshot', 'restore', 'before'])).code, 0)
    assert.deepEqual(await names(), [])
    await succeed('back.csv', '--object', 'Account')
    assert.deepEqual(await names(), ['Put back'])
  })

  test('may come from standard input', async () => {
    const results = location.path('stdin.results.csv')
    const said = await location.run(
      ['import', '-', '--object', 'Account', '--results', results],
      'Name\nFrom stdin 1\nFrom stdin 2\n',
    )
    assert.deepEqual(said, { code: 0, out: `2 rows written: see ${results}\n`, error: '' })
    assert.equal((await location.values("SELECT Id FROM Account WHERE Name LIKE 'From stdin%'")).length, 2)
  })

  test('that is none stops the import with the line', async () => {
    location.write('open.csv', 'Name\nOpen 1\n"Open 2\n')
    const { code, error } = await run('open.csv', '--object', 'Account')
    assert.equal(code, 1)
    assert.match(error, /open\.csv is no CSV, line \d+: Quote Not Closed/)
    location.write('latin.csv', Buffer.from('Name\nM\xfcller\n', 'latin1'))
    assert.match(
      (await run('latin.csv', '--object', 'Account')).error,
      /is not UTF-8 text.* iconv -f WINDOWS-1252/,
    )
    location.write('wide.csv', Buffer.from('\ufeffName\nM\xfcller\n', 'utf16le'))
    assert.match((await run('wide.csv', '--object', 'Account')).error, /is not UTF-8 text.* iconv -f UTF-16 /)
    location.write('empty.csv', '')
    assert.match((await run('empty.csv', '--object', 'Account')).error, /is empty/)
    assert.match(
      (await run('nowhere.csv', '--object', 'Account')).error,
      /^There is no file .*nowhere\.csv\.\n$/,
    )
  })
})

describe('a command that opens the database itself', { skip: !onPostgres }, () => {
  test('goes through the triggers of the deployment', async () => {
    const deployment = deploymentWith({
      'site.ts': `export default { object: 'Account', beforeInsert(changes) {
        for (const { record } of changes) record.Site = 'by a trigger'
      } }`,
    })
    location.write('triggers.csv', 'Name\nTriggered\n')
    await succeed('triggers.csv', '--object', 'Account', '--deployment', deployment)
    assert.deepEqual(await location.values("SELECT Site FROM Account WHERE Name = 'Triggered'"), [
      'by a trigger',
    ])
  })
})

describe('a JSON file', ON_EMBEDDED, () => {
  test('is an array, or has a record on each line', async () => {
    const records = [
      { attributes: { type: 'Account' }, Name: 'Json "{[1]}"', NumberOfEmployees: 7 },
      { Name: 'Json 2', Parent: { Key__c: 'J' }, Phone: null },
    ]
    location.write('parent.json', JSON.stringify([{ Name: 'Json parent', Key__c: 'J' }]))
    await succeed('parent.json', '--object', 'Account')
    location.write('array.json', `\ufeff${JSON.stringify(records, null, 2)}\n`)
    await succeed('array.json', '--object', 'Account')
    location.write('lines.jsonl', records.map((record) => JSON.stringify(record)).join('\n'))
    await succeed('lines.jsonl', '--object', 'Account')
    assert.deepEqual(
      await location.values(
        "SELECT Name, NumberOfEmployees, Parent.Name FROM Account WHERE Name LIKE 'Json%' ORDER BY Name",
      ),
      [
        '"Json ""{[1]}""",7,',
        '"Json ""{[1]}""",7,',
        'Json 2,,Json parent',
        'Json 2,,Json parent',
        'Json parent,,',
      ],
    )
  })

  test('that is none stops the import with the line', async () => {
    for (const [content, message] of [
      ['[\n{"Name": "a"},\n{"Name": }]', /is no JSON, line 3/],
      ['[\n{"Name": "a"},\n5]', /line 3: every record must be an object/],
      [
        `[\n{"Name": ${'['.repeat(501)}${']'.repeat(501)}}]`,
        /line 2: the record is nested deeper than 500 levels/,
      ],
      ['[\n{"Name": "a"},\n{"Name": "b"', /is not complete: its last record begins on line 3/],
      ['[\n{"Name": "a"},', /is not complete: its last record begins on line 2/],
    ] as const) {
      location.write('bad.json', content)
      const { code, error } = await run('bad.json', '--object', 'Account', '--restart')
      assert.equal(code, 1)
      assert.match(error, message)
    }
    assert.deepEqual(await location.values("SELECT Name FROM Account WHERE Name IN ('a', 'b')"), [])
  })
})

test(
  'a saved result of a query is read, also as sf prints it, with what follows its records',
  ON_EMBEDDED,
  async () => {
    const records = (name: string) =>
      [1, 2].map((n) => ({
        attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${n}` },
        Name: `${name} ${n}`,
      }))
    const results = {
      'rest.json': { totalSize: 2, done: true, records: records('Rest') },
      'page.json': {
        totalSize: 9,
        done: false,
        nextRecordsUrl: '/services/data/v64.0/query/0r8-2',
        records: records('Page'),
      },
      'sf.json': { status: 0, result: { records: records('Sf'), totalSize: 2, done: true }, warnings: ['{'] },
    }
    for (const [file, result] of Object.entries(results)) {
      for (const indent of [0, 2]) {
        location.write(file, `${JSON.stringify(result, null, indent)}\n`)
        await succeed(file, '--object', 'Account', '--restart')
      }
    }
    for (const name of ['Rest', 'Page', 'Sf'])
      assert.deepEqual(
        await location.values(`SELECT Name FROM Account WHERE Name LIKE '${name} %' ORDER BY Name`),
        [`${name} 1`, `${name} 1`, `${name} 2`, `${name} 2`],
      )
  },
)

test('record types are named by their developer names in every format', ON_EMBEDDED, async () => {
  const type = (name: string) => ({ attributes: { type: 'RecordType' }, DeveloperName: name })
  location.write('types.csv', 'Name,recordtype.developername\nTyped csv,partner\nTyped none,\n')
  await succeed('types.csv', '--object', 'Account')
  location.write('mapped.csv', 'Name,Kind\nTyped mapped,Customer\n')
  await succeed('mapped.csv', '--object', 'Account', '--map', 'Kind=RecordType.DeveloperName')
  location.write('types.json', JSON.stringify([{ Name: 'Typed json', RecordType: type('Customer') }]))
  await succeed('types.json', '--object', 'Account')
  const below = account('A2', { Name: 'Typed below', recordType: { developerName: 'Partner' } })
  const above = { Name: 'Typed above', RecordType: type('Customer'), ChildAccounts: { records: [below] } }
  location.write('types-tree.json', JSON.stringify({ records: [account('A1', above)] }))
  await succeed('types-tree.json')
  assert.deepEqual(
    await location.values(
      "SELECT Name, RecordType.DeveloperName FROM Account WHERE Name LIKE 'Typed %' ORDER BY Name",
    ),
    [
      'Typed above,Customer',
      'Typed below,Partner',
      'Typed csv,Partner',
      'Typed json,Customer',
      'Typed mapped,Customer',
      'Typed none,',
    ],
  )
  location.write('former.csv', "Name,RecordType.DeveloperName\nTyped f,Former\nTyped p,Partner\nTyped q,'\n")
  const { code, error } = await run('former.csv', '--object', 'Account')
  assert.equal(code, 1)
  assert.match(error, /^1 of 3 rows written, 2 refused/)
  assert.deepEqual(resultsIn('former.csv.results.csv').slice(1), [
    '1,,,INVALID_CROSS_REFERENCE_KEY,Account has no active record type Former,RecordTypeId',
    '2,ID,true,,,',
    "3,,,INVALID_CROSS_REFERENCE_KEY,Account has no active record type ',RecordTypeId",
  ])
})

describe('trees of sf', ON_EMBEDDED, () => {
  test('bring the records below with those above; a refused one leaves the others alone', async () => {
    const [sound, broken] = [
      family('Tree 1', { LastName: 'Below' }),
      family('Tree 2', { FirstName: 'Nameless' }),
    ]
    location.write('trees.json', JSON.stringify({ records: [...sound.records, ...broken.records] }))
    const { code, error } = await run('trees.json')
    assert.equal(code, 1)
    assert.match(error, /^1 of 2 rows written, 1 refused/)
    assert.deepEqual(resultsIn('trees.json.results.csv'), [
      'row,id,created,errorCode,message,fields,reference',
      '1,ID,true,,,,AccountRef1',
      '2,,,REQUIRED_FIELD_MISSING,Required fields are missing: [LastName],LastName,AccountRef1',
    ])
    const contacts = "SELECT LastName, Account.Name FROM Contact WHERE Account.Name LIKE 'Tree%'"
    assert.deepEqual(await location.values(contacts), ['Below,Tree 1'])
  })

  test('of a plan refer to each other by name, also in one file', async () => {
    const accounts = [
      account('A1', { Name: 'Plan top' }),
      account('A2', { Name: 'Plan sub', ParentId: '@A1' }),
      account('A3', { Name: 'Plan @acme', ParentId: '@A2', Site: '@acme' }),
    ]
    location.write('accounts.json', JSON.stringify({ records: accounts }))
    location.write(
      'contacts.json',
      JSON.stringify({ records: [contact('C1', { LastName: 'Planned', AccountId: '@A3' })] }),
    )
    const plan = [
      { sobject: 'Account', saveRefs: true, resolveRefs: false, files: ['accounts.json'] },
      { sobject: 'Contact', saveRefs: false, resolveRefs: true, files: ['contacts.json'] },
    ]
    location.write('plan.json', JSON.stringify(plan))
    await succeed('plan.json')
    const way = 'LastName, Account.Name, Account.Site, Account.Parent.Name, Account.Parent.Parent.Name'
    assert.deepEqual(await location.values(`SELECT ${way} FROM Contact WHERE LastName = 'Planned'`), [
      'Planned,Plan @acme,@acme,Plan sub,Plan top',
    ])
  })

  const PEOPLE = 'SELECT LastName, Account.Name, ReportsTo.LastName FROM Contact WHERE LastName LIKE'

  test('may refer to records that come later, and is told by the row at which it stands', async () => {
    writePlan(location, 'later', [
      contact('C1', { LastName: 'Later 1', AccountId: '@A1', ReportsToId: '@C2' }),
      contact('C2', { LastName: 'Later 2', Department: '@A1' }),
      contact('C3', { LastName: 'Later 3', ReportsToId: '@Nobody' }),
      account('A2', { Name: 'Later sub', ParentId: '@A1' }),
      account('A1', { Name: 'Later top' }),
    ])
    const { code, error } = await run('later.json')
    assert.equal(code, 1)
    assert.match(error, /^4 of 5 rows written, 1 refused/)
    assert.deepEqual(resultsIn('later.json.results.csv').slice(1).toSorted(), [
      '1,ID,true,,,,C1',
      '2,ID,true,,,,C2',
      '3,,,MALFORMED_ID,Reports To ID: id value of incorrect type: @Nobody,ReportsToId,C3',
      '4,ID,true,,,,A2',
      '5,ID,true,,,,A1',
    ])
    assert.deepEqual((await location.values(`${PEOPLE} 'Later %'`)).toSorted(), [
      'Later 1,Later top,Later 2',
      'Later 2,,',
    ])
  })

  test('may refer to each other in a circle, and to records of the same tree', async () => {
    const below = contact('C2', { LastName: 'Round 2' })
    writePlan(location, 'round', [
      contact('C1', { LastName: 'Round 1', AccountId: '@A1' }),
      account('A1', { Name: 'Round', Main__c: '@C1' }),
      account('A2', { Name: 'Round too', main__c: '@C2', ParentId: '@A3', Contacts: { records: [below] } }),
      account('A3', { Name: 'Round three' }),
    ])
    await succeed('round.json')
    assert.equal(resultsIn('round.json.results.csv').length, 5)
    const way = 'SELECT LastName, Account.Name, Account.Main__r.LastName FROM Contact'
    assert.deepEqual(await location.values(`${way} WHERE LastName LIKE 'Round %' ORDER BY LastName`), [
      'Round 1,Round,Round 1',
      'Round 2,Round too,Round 2',
    ])
  })

  test('that lack a reference alone get it when they are tried again', async () => {
    const main = account('A1', { Name: 'Again', Main__c: '@C1' })
    const write = (Email: string) =>
      writePlan(location, 'again', [main, contact('C1', { LastName: 'Again', AccountId: '@A1', Email })])
    write('none')
    const { error } = await run('again.json')
    assert.match(error, /^0 of 2 rows written, 2 refused/)
    assert.deepEqual(
      resultsIn('again.json.results.csv').map((line) => line.split(',').slice(0, 4).join()),
      ['row,id,created,errorCode', '1,ID,true,', '2,,,INVALID_EMAIL_ADDRESS', '1,ID,,MALFORMED_ID'],
    )
    write('one@example.com')
    await succeed('again.json', '--retry', location.path('again.json.results.csv'))
    assert.deepEqual(resultsIn('again.json.results-2.csv').slice(1), ['2,ID,true,,,,C1', '1,ID,false,,,,A1'])
    const accounts = "SELECT Name, Main__r.LastName FROM Account WHERE Name = 'Again'"
    assert.deepEqual(await location.values(accounts), ['Again,Again'])
  })
})

/** Many accounts whose names begin with a text. */
const many = (prefix: string, count: number) =>
  `Name\n${Array.from({ length: count }, (_, n) => `${prefix} ${String(n + 1).padStart(4, '0')}\n`).join('')}`

describe('an import that was interrupted', () => {
  const ROWS = 800
  const SMALL = ['--object', 'Account', '--batch', '10', '--parallel', '3']

  /** Starts an import and waits until some of it is written. */
  async function startImport(file: string, batches: number, args: readonly string[] = SMALL) {
    const progress = location.path(`${file}.results.progress`)
    const child = spawnCommand(['import', location.path(file), ...args], location.variables)
    const said = Promise.all([once(child, 'close'), text(child.stdout!), text(child.stderr!)])
    const lines = () => (existsSync(progress) ? readFileSync(progress, 'utf8').split('\n').length : 0)
    while (lines() < batches && child.exitCode === null) await sleep(2)
    return { child, said }
  }

  /** Every row is there once, and its result stands in its place. */
  async function assertComplete(file: string, prefix: string): Promise<void> {
    const names = await location.values(
      `SELECT Name FROM Account WHERE Name LIKE '${prefix} %' ORDER BY Name`,
    )
    assert.deepEqual(names, many(prefix, ROWS).trimEnd().split('\n').slice(1))
    const rows = resultsIn(`${file}.results.csv`).slice(1)
    assert.deepEqual(
      rows,
      Array.from({ length: ROWS }, (_, n) => `${n + 1},ID,true,,,`),
    )
  }

  test('by kill -9, several times, goes on when it is run again, and writes no row twice', async () => {
    location.write('killed.csv', many('Killed', ROWS))
    for (const batches of [6, 15, 30]) {
      const { child, said } = await startImport('killed.csv', batches)
      child.kill('SIGKILL')
      assert.deepEqual((await said)[0], [null, 'SIGKILL'])
    }
    const { code, error } = await run('killed.csv', ...SMALL)
    assert.equal(code, 0)
    assert.match(error, /^Going on after row [\d,]+ \([\d,]+ written, 0 refused\)\.\n$/)
    await assertComplete('killed.csv', 'Killed')
  })

  test('knows the names of trees that were written before', async () => {
    const COUNT = 250
    const chain = Array.from({ length: COUNT }, (_, n) =>
      account(`A${n}`, { Name: 'Chain', ...(n === 0 ? {} : { ParentId: `@A${n - 1}` }) }),
    )
    location.write('chain.json', JSON.stringify({ records: chain }))
    const { child, said } = await startImport('chain.json', 20, [])
    child.kill('SIGKILL')
    await said
    const { code, error } = await run('chain.json')
    assert.equal(code, 0)
    assert.match(error, /^Going on after row \d+ /)
    const children = "SELECT COUNT(Id), COUNT_DISTINCT(ParentId) FROM Account WHERE Name = 'Chain'"
    assert.deepEqual(await location.values(children), [`${COUNT},${COUNT - 1}`])
    assert.equal(resultsIn('chain.json.results.csv').length, COUNT + 1)
  })

  test('by Ctrl-C finishes the batches under way, says how to go on, and goes on', async () => {
    location.write('stopped.csv', many('Stopped', ROWS))
    const { child, said } = await startImport('stopped.csv', 6)
    child.kill('SIGINT')
    const [ending, , error] = await said
    assert.deepEqual(ending, [130, null])
    const [, row] = /^Stopped after row ([\d,]+)\. Run the same command again to go on\.\n$/.exec(error) ?? []
    const written = Number(row!.replace(',', ''))
    const count = await location.values("SELECT COUNT(Id) FROM Account WHERE Name LIKE 'Stopped %'")
    assert.deepEqual(count, [String(written)])
    assert.match((await run('stopped.csv', ...SMALL)).error, new RegExp(`^Going on after row ${row} `))
    await assertComplete('stopped.csv', 'Stopped')
  })

  test('does not go on with another file or other options, but begins again where that is wanted', async () => {
    location.write('changed.csv', many('Changed', ROWS))
    const { child, said } = await startImport('changed.csv', 6)
    child.kill('SIGKILL')
    await said
    const mapped = await run('changed.csv', ...SMALL, '--map', 'Name=Site')
    assert.match(mapped.error, /cannot go on: it was begun with other options/)
    const other = await run('changed.csv', '--object', 'Account')
    assert.equal(other.code, 1)
    assert.match(
      other.error,
      /stopped after row [\d,]+ and cannot go on: it was begun with --batch 10 .*--restart/,
    )
    appendFileSync(location.path('changed.csv'), 'Changed more\n')
    assert.match((await run('changed.csv', ...SMALL)).error, /cannot go on: the file has changed since/)
    await succeed('changed.csv', ...SMALL, '--restart')
    assert.deepEqual(await location.values("SELECT COUNT(Id) FROM Account WHERE Name = 'Changed 0001'"), [
      '2',
    ])
    assert.deepEqual(await location.values("SELECT COUNT(Id) FROM Account WHERE Name = 'Changed more'"), [
      '1',
    ])
  })
})
