import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importSourceFormat } from '../../src/importers/source-format/import-source-format.ts'
import { fetchRecords } from '../support/ask.ts'
import { fetchSteps } from '../support/deploying.ts'
import { finishUpgrades } from '../support/finish-upgrades.ts'
import { openOrg } from '../support/org.ts'

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const field = (name: string, type: string, more = '') =>
  `<fields><fullName>${name}</fullName><label>${name}</label><type>${type}</type>${more}</fields>`

const object = (name: string, fields: string, nameField = '<type>Text</type>') => ({
  path: `objects/${name}.object`,
  text: `<CustomObject><label>${name}</label><nameField>${nameField}</nameField>${fields}</CustomObject>`,
})

const detailOf = (master: string) =>
  field(
    master,
    'MasterDetail',
    `<referenceTo>${master}</referenceTo><relationshipName>${master.slice(0, -3)}s</relationshipName>`,
  )

const sumUp = (name: string, foreignKey: string, operation: string, more = '') =>
  field(
    name,
    'Summary',
    `${more}<summaryForeignKey>${foreignKey}</summaryForeignKey><summaryOperation>${operation}</summaryOperation>`,
  )

const where = (path: string, operation: string, value: string) =>
  `<summaryFilterItems><field>${path}</field><operation>${operation}</operation><value>${escapeXml(value)}</value></summaryFilterItems>`

const of = (path: string) => `<summarizedField>${path}</summarizedField>`

const PARTS =
  detailOf('Box__c') +
  field('Share__c', 'Percent', '<precision>7</precision><scale>3</scale>') +
  field('Amount__c', 'Currency', '<precision>16</precision><scale>2</scale>') +
  field('At__c', 'DateTime') +
  field('Hour__c', 'Time') +
  field('On__c', 'Date') +
  field('Code__c', 'Text', '<length>80</length>') +
  field('Other__c', 'Lookup', '<referenceTo>Account</referenceTo>') +
  field(
    'State__c',
    'Picklist',
    '<picklist><picklistValues><fullName>Open</fullName></picklistValues><picklistValues><fullName>Done</fullName></picklistValues><picklistValues><fullName>Closed, not done</fullName></picklistValues></picklist>',
  )

type Filter = readonly [name: string, operation: string, value: string]

const importCounts = (filters: readonly Filter[]) =>
  importSourceFormat([
    object(
      'Box__c',
      filters
        .map(([name, operation, value], at) =>
          sumUp(`N${at}__c`, 'Part__c.Box__c', 'count', where(`Part__c.${name}`, operation, value)),
        )
        .join(''),
    ),
    object('Part__c', PARTS),
  ])

/** A file with a record type. */
const recordType = (of: string, name: string, label: string) => ({
  path: `objects/${of}/recordTypes/${name}.recordType-meta.xml`,
  text: `<RecordType><fullName>${name}</fullName><active>true</active><label>${label}</label></RecordType>`,
})

test('the filter of a roll-up names record types by their labels', async () => {
  const filters = [
    ['RecordTypeId', 'equals', 'Very big'],
    ['RecordType.Name', 'equals', 'very big, "Small, or so"'],
    ['RecordTypeId', 'notEqual', 'Very big'],
    ['RecordTypeId', 'equals', ''],
    ['RecordTypeId', 'notEqual', ''],
  ] as const
  const conditions = filters.map(([name, operation, value]) => where(`Part__c.${name}`, operation, value))
  const counts = conditions.map((condition, at) => sumUp(`N${at}__c`, 'Part__c.Box__c', 'count', condition))
  const unknown = where('Part__c.RecordTypeId', 'equals', 'Very big,Huge')
  const made = importSourceFormat([
    object('Box__c', counts.join('') + sumUp('Unknown__c', 'Part__c.Box__c', 'count', unknown)),
    object('Part__c', detailOf('Box__c')),
    recordType('Part__c', 'Big', 'Very big'),
    recordType('Part__c', 'Small', 'Small, or so'),
  ])
  assert.deepEqual(
    made.notes.filter(({ kind }) => kind === 'rollUp').map(({ location, what }) => `${location}: ${what}`),
    ['Box__c.Unknown__c: its filter Part__c.RecordTypeId equals Very big,Huge is not known here'],
  )
  const o = await openOrg()
  const names = filters.map((_one, at) => `N${at}__c`)
  const read = async () => {
    const [record] = await fetchRecords(o, `SELECT ${names.join(', ')} FROM Box__c`)
    return names.map((name) => record![name])
  }
  const { Box__c = null, Part__c = null } = made.files.objects
  // Records that were there before the roll-ups are summed up too.
  await fetchSteps(o, { Box__c: { ...Box__c, fields: {} }, Part__c })
  const box = await o.create('Box__c', { Name: 'x' })
  const types = await fetchRecords(o, 'SELECT Id FROM RecordType ORDER BY DeveloperName')
  const [big, small] = types.map(({ Id }) => Id as string)
  await o.create('Part__c', { Name: 'a', Box__c: box, RecordTypeId: big })
  await o.create('Part__c', { Name: 'b', Box__c: box, RecordTypeId: small })
  const bare = await o.create('Part__c', { Name: 'c', Box__c: box })
  await fetchSteps(o, made.files.objects)
  await finishUpgrades(o)
  assert.deepEqual(await read(), [1, 2, 2, 1, 2])
  await o.call('PATCH', `/sobjects/Part__c/${bare}`, { body: { RecordTypeId: big } })
  assert.deepEqual(await read(), [2, 3, 1, 0, 3])
})

describe('the filter of a roll-up', () => {
  const counted: readonly (readonly [number, ...Filter])[] = [
    [2, 'State__c', 'equals', '"Done", "Closed, not done"'],
    [2, 'State__c', 'notEqual', '"Closed, not done"'],
    [1, 'State__c', 'startsWith', '"Closed, not"'],
    [1, 'Share__c', 'greaterThan', '50'],
    [1, 'Share__c', 'equals', '50'],
    [2, 'Share__c', 'lessOrEqual', '50%'],
    [1, 'Share__c', 'equals', '7.125'],
    [1, 'Amount__c', 'greaterOrEqual', '"1,234.50"'],
    [2, 'Amount__c', 'equals', '"1,234.50",5'],
    [2, 'Amount__c', 'equals', '5,,6'],
    [1, 'Name', 'equals', 'a'],
    [2, 'Name', 'contains', 'b,c'],
    [1, 'Code__c', 'equals', '5" pipe'],
    [1, 'At__c', 'greaterThan', '2026-01-02T00:30:00.000+01:00'],
    [1, 'Hour__c', 'lessThan', '12:00:00.000Z'],
    [1, 'On__c', 'equals', '1/31/2026'],
  ]

  test('counts the details that it counts on the platform', async () => {
    const made = importCounts(counted.map(([, ...filter]) => filter))
    assert.deepEqual(made.notes, [])
    const o = await openOrg()
    await fetchSteps(o, made.files.objects)
    const box = await o.create('Box__c', { Name: 'x' })
    const parts = [
      {
        Name: 'a',
        State__c: 'Open',
        Share__c: 60,
        Amount__c: 1234.5,
        At__c: '2026-01-01T23:00:00Z',
        Hour__c: '10:00:00.000Z',
        On__c: '2026-01-31',
      },
      {
        Name: 'b',
        State__c: 'Done',
        Share__c: 50,
        Amount__c: 5,
        At__c: '2026-01-01T23:45:00Z',
        Hour__c: '14:00:00.000Z',
        Code__c: '5" pipe',
      },
      { Name: 'c', State__c: 'Closed, not done', Share__c: 7.125 },
    ]
    for (const part of parts) await o.create('Part__c', { Box__c: box, ...part })
    const names = counted.map((_one, at) => `N${at}__c`)
    const [record] = await fetchRecords(o, `SELECT ${names.join(', ')} FROM Box__c`)
    const found = counted.map(([, ...filter], at) => [record![names[at]!], ...filter])
    assert.deepEqual(found, counted)
  })

  for (const [name, operation, value] of [
    ['RecordTypeId', 'equals', 'Part__c.Big'],
    ['Other__c', 'equals', 'Acme'],
    ['At__c', 'greaterThan', '1/1/2026 12:00 AM'],
    ['On__c', 'equals', '31/1/2026'],
    ['On__c', 'equals', '2026-02-30'],
    ['Amount__c', 'greaterThan', '1,000'],
    ['Amount__c', 'equals', 'EUR 5'],
    ['Share__c', 'contains', '5'],
  ] as const) {
    test(`is not imported, which is noted, where its meaning is not known: ${name} ${operation} ${value}`, () => {
      const { files, notes } = importCounts([[name, operation, value]])
      assert.equal(files.objects.Box__c!.fields!.N0__c!.rollUp, undefined)
      assert.deepEqual(
        notes.map(({ kind, location, what }) => `${kind}: ${location}: ${what}`),
        [`rollUp: Box__c.N0__c: its filter Part__c.${name} ${operation} ${value} is not known here`],
      )
    })
  }
})

test('a roll-up of a roll-up has the type of what it sums up in the end', async () => {
  const made = importSourceFormat([
    object(
      'Trip__c',
      sumUp('Last__c', 'Leg__c.Trip__c', 'max', of('Leg__c.Last__c')) +
        sumUp('Fares__c', 'Leg__c.Trip__c', 'sum', of('Leg__c.Fares__c')) +
        sumUp('Shares__c', 'Leg__c.Trip__c', 'sum', of('Leg__c.Shares__c')) +
        field('Days__c', 'Number', '<formula>Last__c - DATE(2026, 1, 1)</formula><scale>0</scale>'),
    ),
    object(
      'Leg__c',
      detailOf('Trip__c') +
        sumUp('Last__c', 'Stop__c.Leg__c', 'max', of('Stop__c.On__c')) +
        sumUp('Fares__c', 'Stop__c.Leg__c', 'sum', of('Stop__c.Fare__c')) +
        sumUp('Shares__c', 'Stop__c.Leg__c', 'sum', of('Stop__c.Share__c')),
    ),
    object(
      'Stop__c',
      detailOf('Leg__c') +
        field('On__c', 'Date') +
        field('Fare__c', 'Currency', '<precision>16</precision><scale>2</scale>') +
        field('Share__c', 'Percent', '<precision>5</precision><scale>1</scale>'),
    ),
  ])
  assert.deepEqual(made.notes, [])
  const { Last__c, Fares__c, Shares__c } = made.files.objects.Trip__c!.fields!
  assert.deepEqual(
    [Last__c, Fares__c, Shares__c].map((one) => one?.type),
    ['date', 'currency', 'percent'],
  )
  assert.equal(Shares__c!.scale, 1)
  const o = await openOrg()
  await fetchSteps(o, made.files.objects)
  const trip = await o.create('Trip__c', { Name: 't' })
  const leg = await o.create('Leg__c', { Name: 'l', Trip__c: trip })
  await o.create('Stop__c', { Name: 'a', Leg__c: leg, On__c: '2026-01-10', Fare__c: 4, Share__c: 25 })
  await o.create('Stop__c', { Name: 'b', Leg__c: leg, On__c: '2026-01-20', Fare__c: 6, Share__c: 50 })
  assert.deepEqual(await fetchRecords(o, 'SELECT Last__c, Fares__c, Shares__c, Days__c FROM Trip__c'), [
    { Last__c: '2026-01-20', Fares__c: 10, Shares__c: 75, Days__c: 19 },
  ])
})

test('roll-ups that lead back to themselves are noted', () => {
  const { notes } = importSourceFormat([
    object('A__c', detailOf('B__c') + sumUp('X__c', 'B__c.A__c', 'sum', of('B__c.X__c'))),
    object('B__c', detailOf('A__c') + sumUp('X__c', 'A__c.B__c', 'sum', of('A__c.X__c'))),
  ])
  assert.ok(notes.some(({ kind }) => kind === 'rollUp'))
})
