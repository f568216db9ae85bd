import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import type { FieldFile } from '../../src/definitions/formats/field-file.ts'
import { importCsv, objectOfFile } from '../../src/importers/csv/import-csv.ts'
import { readRows } from '../../src/importers/csv/read-rows.ts'
import { FIELD_TYPES } from '../../src/schema/fields/registry.ts'
import { makeFields } from '../../src/schema/objects/object-type.ts'
import { openOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'

const PERSON = { file: 'people.csv', object: 'Person__c' }

/** Fields from columns: a header and its values, of which the last stands in all further rows. */
async function infer(columns: Record<string, readonly string[]>, object = 'Person__c') {
  const headers = Object.keys(columns)
  const count = Math.max(...Object.values(columns).map(({ length }) => length))
  const rows = Array.from({ length: count }, (_, row) => headers.map((header) => columns[header]![row] ?? ''))
  const { files, notes } = await importCsv({ ...PERSON, object }, [headers, ...rows])
  assert.deepEqual(readDefinitions(files).problems, [])
  return {
    fields: files.objects[object]?.fields ?? {},
    notes: notes.map(({ location, what }) => `${location}: ${what}`),
  }
}

const repeat = (count: number, ...values: readonly string[]) =>
  Array.from({ length: count }, (_, at) => values[at % values.length]!)

describe('a column becomes', () => {
  const cases: [string, string, readonly string[], FieldFile][] = [
    ['a boolean', 'Active', ['true', 'FALSE', ''], { type: 'boolean' }],
    ['a whole number', 'Age', ['41', '-7', '0'], { type: 'double' }],
    [
      'a number with as many decimals as the longest',
      'Height',
      ['1.75', '2', '.5'],
      { type: 'double', scale: 2 },
    ],
    ['a text when a number has zeros in front', 'Zip', ['01234', '10001'], { type: 'string', length: 40 }],
    [
      'a text when a number is longer than numbers are exact',
      'Iban',
      ['1234567890123456'],
      { type: 'string', length: 40 },
    ],
    [
      'a text when digits before and after the point are too many',
      'Both',
      ['1234567890.1', '1.1234567'],
      { type: 'string', length: 40 },
    ],
    ['a date', 'Born', ['1990-02-28', '2000-12-31'], { type: 'date' }],
    ['a text when a day does not exist', 'Born', ['1990-02-30'], { type: 'string', length: 40 }],
    ['a moment', 'Seen at', ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00.000+0200'], { type: 'datetime' }],
    [
      'a number as results of queries have it',
      'Worth',
      ['100.0', '1.15056052E8', '-2.5E-4'],
      { type: 'double', scale: 5 },
    ],
    ['a time of day', 'Wakes', ['06:30:00', '07:00:00.5'], { type: 'time' }],
    ['a mail address', 'Mail', ['ada@example.com', 'b@c.de'], { type: 'email' }],
    ['a web address', 'Site', ['https://example.com/a?b', 'www.example.com'], { type: 'url' }],
    [
      'a phone number, by its header too',
      'Mobile phone',
      ['+47 12 34 56 78', '004712345678'],
      { type: 'phone' },
    ],
    [
      'a list when few values come often',
      'Color',
      repeat(20, 'red', 'Blue', 'RED'),
      { type: 'picklist', values: ['Blue', 'red'] },
    ],
    ['a text when values come seldom', 'Color', repeat(19, 'red', 'blue'), { type: 'string', length: 40 }],
    ['a text with room', 'Street', ['x'.repeat(60)], { type: 'string', length: 120 }],
    ['a text of several lines', 'Address', ['Storgata 1\nOslo'], { type: 'textarea' }],
    ['a long text', 'Life', ['x'.repeat(300)], { type: 'longtextarea' }],
    ['a text when it is empty', 'Later', ['', ''], { type: 'string' }],
    ['a key', 'Person Number', ['7', '8', '9'], { type: 'double', unique: true, externalId: true }],
    [
      'a key that knows upper from lower case',
      'personId',
      ['a', 'A'],
      { type: 'string', length: 40, unique: true, externalId: true, caseSensitive: true },
    ],
    ['no key when a value is missing', 'Code', ['a', 'b', ''], { type: 'string', length: 40 }],
    ['no key when a value comes twice', 'Code', ['a', 'b', 'a'], { type: 'string', length: 40 }],
    ['no key when a number comes in two spellings', 'Code', ['1.5', '1.50'], { type: 'double', scale: 2 }],
    ['no key when zero comes with and without its sign', 'Code', ['-0', '0'], { type: 'double' }],
  ]
  for (const [name, header, values, expected] of cases) {
    test(name, async () => {
      const { fields } = await infer({ [header]: values })
      const [field] = Object.values(fields)
      const { label: _, ...rest } = field!
      assert.deepEqual(rest, expected)
    })
  }
})

test('names are made of headers, and differ', async () => {
  const headers = [
    'First name',
    'first  NAME',
    'Größe (cm)',
    '2nd',
    '',
    'Tier__c',
    'name',
    `${'long '.repeat(12)}x`,
  ]
  const { fields } = await infer(Object.fromEntries(headers.map((header) => [header, ['x']])))
  assert.deepEqual(Object.keys(fields), [
    'Name',
    'First_name__c',
    'first_NAME_2__c',
    'Grosse_cm__c',
    'X2nd__c',
    'Column_5__c',
    'Tier__c',
    'long_long_long_long_long_long_long_long__c',
  ])
  assert.equal(fields.Grosse_cm__c!.label, 'Größe (cm)')
})

test('the report says what was inferred from what', async () => {
  const { notes } = await infer({ Name: ['Ada', 'Bo'], Age: ['41', ''], Id: ['1', '2'] })
  assert.deepEqual(notes, [
    'Person__c.Name: string: "Name" has 2 values, texts of up to 3 characters',
    'Person__c.Age__c: double: "Age" has 1 value of 2 rows, whole numbers',
    'Person__c.Id__c: double: "Id" has 2 values, whole numbers, none of them twice',
  ])
})

test('columns of a standard object that are its fields are not added', async () => {
  const { fields, notes } = await infer(
    { NAME: ['Acme'], 'Billing City': ['Oslo'], Tier: ['Gold'] },
    'Account',
  )
  assert.deepEqual(Object.keys(fields), ['Tier__c'])
  assert.ok(notes.includes('Account.BillingCity: takes "Billing City"'), notes.join('\n'))
})

test('an object of its own needs a name that ends in __c', async () => {
  await assert.rejects(importCsv({ file: 'p.csv', object: 'Person' }, [['a']]), /--object Person__c/)
  assert.equal(objectOfFile('/tmp/sales people.csv'), 'Sales_People__c')
})

describe('a CSV file', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'objectry-csv-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const all = async (path: string) => {
    const rows: (readonly string[])[] = []
    for await (const row of readRows(path)) rows.push(row)
    return rows
  }
  const read = async (text: string) => {
    const file = join(folder, 'rows.csv')
    writeFileSync(file, text)
    return all(file)
  }

  test('has commas, semicolons or tabs between its columns', async () => {
    const expected = [
      ['a', 'b, c'],
      ['1', '2\n3'],
    ]
    for (const delimiter of [',', ';', '\t']) {
      assert.deepEqual(await read(`\uFEFF${stringify(expected, { delimiter })}`), expected, delimiter)
    }
  })

  test('is refused with its name and line when a row has other columns', async () => {
    await assert.rejects(read('a,b\n1,2\n1\n'), /rows\.csv: .*line 3/)
    await assert.rejects(read('a,b\n"1,2\n'), /rows\.csv: /)
    await assert.rejects(all(join(folder, 'no.csv')), /no\.csv/)
    await assert.rejects(importCsv(PERSON, await read('')), /people\.csv is empty/)
  })

  test('of records gives an object that takes them', async () => {
    const text = stringify([
      ['Name', 'Person Key', 'Born', 'Mail', 'Weight'],
      ['Ada', 'p1', '1815-12-10', 'ada@example.com', '61.5'],
      ['Bo', 'p2', '', 'bo@example.com', ''],
    ])
    const { files } = await importCsv(PERSON, await read(text))
    const org = await openOrg()
    await org.deploy(readDefinitions(files).objects)
    await org.create('Person__c', {
      Name: 'Ada',
      Person_Key__c: 'p1',
      Born__c: '1815-12-10',
      Weight__c: 61.5,
    })
    const answer = await org.call('PATCH', '/sobjects/Person__c/Person_Key__c/p1', {
      body: { Mail__c: 'x@y.z' },
    })
    assert.equal(answer.status, 200)
  })
})

const VALUES = [
  fc.boolean().map(String),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('0', '-0', '007', '1e5', '.5', '5.', '+5', '1,000', ' 7 '),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(11, 19)),
  fc.emailAddress(),
  fc.webUrl(),
  fc.constantFrom('+1 (555) 010-9999', '0047 12345678', '12-34'),
  fc.constantFrom('red', 'RED', 'green', 'İ', 'ß', 'SS', ''),
  fc.string({ unit: 'binary', maxLength: 400 }).map((text) => text.replaceAll('\0', '')),
]

test('inferred types accept every row of the file', async () => {
  const column = fc
    .tuple(fc.constantFrom('Name', 'Id', 'Phone', 'Order key', 'x', '9'), fc.constantFrom(...VALUES))
    .chain(([header, values]) =>
      fc.tuple(
        fc.constant(header),
        fc.array(fc.oneof({ weight: 20, arbitrary: values }, fc.constantFrom('', 'x')), { maxLength: 60 }),
      ),
    )
  await fc.assert(
    fc.asyncProperty(column, async ([header, values]) => {
      const { files } = await importCsv(PERSON, [[header], ...values.map((value) => [value])])
      const { objects, problems } = readDefinitions(files)
      assert.deepEqual(problems, [])
      const own = objects.find(({ name }) => name === 'Person__c')!
      const field = makeFields(own).find(({ name }) =>
        header === 'Name' ? name === 'Name' : name.endsWith('__c'),
      )!
      const type = FIELD_TYPES[field.definition.type]
      const stored = values
        .map((value) => value.trim())
        .filter((value) => value !== '')
        .map((value) => type.coerce(value, field))
      for (const value of stored) type.validate?.(value!, field)
      if (field.definition.unique) assert.equal(new Set(stored).size, stored.length)
    }),
    { numRuns: runs(200) },
  )
})
