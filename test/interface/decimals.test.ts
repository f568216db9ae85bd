import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { queryPath } from '../support/ask.ts'
import { createJob, ingest, untilOver } from '../support/bulk.ts'
import { post, step, V64 } from '../support/composite.ts'
import { fetchSteps, type Objects } from '../support/deploying.ts'
import { parseWithTexts } from '../support/number-texts.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { triggersFrom, writeDeployment } from '../support/trigger-files.ts'

// docs/reference/api/records.md#field-values

const OBJECTS = {
  Job__c: {
    fields: {
      Hours__c: { type: 'double', precision: 18, scale: 6 },
      Price__c: { type: 'currency', precision: 18, scale: 2 },
      Share__c: { type: 'percent', precision: 5, scale: 1 },
      Steps__c: { type: 'int' },
      Site__c: { type: 'location' },
      Home__c: { type: 'address' },
      Copy__c: { type: 'string', length: 40 },
      Half__c: { type: 'currency', scale: 2, formula: 'Price__c / 2' },
      Part__c: { type: 'percent', scale: 2, formula: 'Hours__c / 100' },
      Twice__c: { type: 'double', scale: 0, formula: 'Steps__c * 2' },
      Cost__c: {
        type: 'currency',
        scale: 2,
        rollUp: { object: 'Cost__c', reference: 'Job__c', function: 'sum', field: 'Cost__c' },
      },
      Costs__c: { type: 'double', rollUp: { object: 'Cost__c', reference: 'Job__c', function: 'count' } },
    },
    listViews: { All: { columns: ['Name', 'Price__c', 'Hours__c', 'Steps__c'], scope: 'everything' } },
  },
  Cost__c: {
    fields: {
      Job__c: { type: 'reference', to: 'Job__c', masterDetail: 0, children: 'Costs__r' },
      Cost__c: { type: 'currency', scale: 2 },
    },
  },
  Rate__c: {
    trackHistory: true,
    fields: {
      Price__c: { type: 'currency', precision: 18, scale: 2, default: 100, trackHistory: true },
      Hours__c: { type: 'double', precision: 18, scale: 0, default: 115_056_052, trackHistory: true },
      Share__c: { type: 'percent', precision: 18, scale: 6, default: 0.0001, trackHistory: true },
      Steps__c: { type: 'int', default: 20_000_000, trackHistory: true },
    },
  },
} satisfies Objects

const RATE = { Price__c: '100.0', Hours__c: '1.15056052E8', Share__c: '1.0E-4', Steps__c: '20000000' }

/** Spellings of numbers. */
const TEXTS: readonly (readonly [number, string])[] = [
  [0, '0.0'],
  [1, '1.0'],
  [-1, '-1.0'],
  [100, '100.0'],
  [0.25, '0.25'],
  [-12.5, '-12.5'],
  [1000, '1000.0'],
  [1001, '1001.0'],
  [0.001, '0.001'],
  [0.0001, '1.0E-4'],
  [-0.000_123, '-1.23E-4'],
  [0.000_001, '1.0E-6'],
  [9_999_999, '9999999.0'],
  [9_999_999.5, '9999999.5'],
  [10_000_000, '1.0E7'],
  [-10_000_000.25, '-1.000000025E7'],
  [115_056_052, '1.15056052E8'],
  [120_000_000_000, '1.2E11'],
]

/** Tells the types of what it reads; and a trigger that calculates. */
const RESOURCE = `
const show = (record) => [record.Price__c, record.Hours__c, record.Half__c, record.Site__c?.latitude].map((value) => typeof value + ' ' + value)
export default {
  path: '/types/:id',
  async GET({ params }, org) {
    const { id } = params
    const [asked] = await org.query("SELECT Price__c, Hours__c, Half__c, Site__c FROM Job__c WHERE Id = '" + id + "'")
    const [sums] = await org.query("SELECT SUM(Price__c) total FROM Job__c WHERE Id = '" + id + "'")
    return { read: show(await org.read('Job__c', id)), asked: show(asked), sum: sums.total + 1 }
  },
}`
const HISTORY = `
export default {
  path: '/history',
  async GET(_call, org) {
    const rows = await org.query("SELECT Id, NewValue FROM Rate__History WHERE Field = 'Price__c'")
    return [(await org.read('Rate__History', rows[0].Id)).NewValue, rows[0].NewValue].map((value) => typeof value + ' ' + value)
  },
}`
const TRIGGER = `
export default {
  object: 'Job__c',
  beforeUpdate(changes) {
    for (const { record, old } of changes) if (record.Copy__c === 'add') record.Hours__c = old.Hours__c + record.Price__c
  },
  afterUpdate(changes) {
    for (const { record, addError } of changes) if (![null, Number(record.Price__c)].includes(record.Price__c)) addError('no number')
  },
}`

let o: TestOrg

before(async () => {
  o = await openOrg({
    deployment: writeDeployment({ 'resources/types.js': RESOURCE, 'resources/history.js': HISTORY }),
    triggers: await triggersFrom({ 'add.js': TRIGGER }),
  })
  await fetchSteps(o, OBJECTS)
})

async function get(path: string) {
  const answer = await o.call('GET', path)
  assert.equal(answer.status, 200, answer.text)
  return { ...answer, texts: parseWithTexts(answer.text) }
}

const query = async (text: string) => (await get(queryPath(text))).texts.records

async function runBulkQuery(text: string): Promise<string[][]> {
  const { id } = await createJob(o, { operation: 'query', query: text }, 'query')
  const job = await untilOver(o, id, 'query')
  assert.equal(job.state, 'JobComplete', job.errorMessage)
  const { text: rows } = await o.call('GET', `/jobs/query/${id}/results`)
  const lines = rows.trim().split('\n').slice(1)
  return lines.map((line) => line.slice(1, -1).split('","'))
}

const FULL = {
  Hours__c: 5,
  Price__c: 20_000_000,
  Share__c: 40,
  Steps__c: 3,
  Site__Latitude__s: 60,
  Site__Longitude__s: 10.5,
  Home__Latitude__s: 0.0001,
  Home__City__s: 'Oslo',
}
const SHOWN = {
  Hours__c: '5.0',
  Price__c: '2.0E7',
  Share__c: '40.0',
  Steps__c: '3',
  Site__Latitude__s: '60.0',
  Site__Longitude__s: '10.5',
  Home__Latitude__s: '1.0E-4',
  Half__c: '1.0E7',
  Part__c: '5.0',
  Twice__c: '6.0',
  Cost__c: '7.0',
  Costs__c: '1.0',
}

const pick = (record: Record<string, unknown>, names: object) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, record[name]]))

async function makeFull(): Promise<string> {
  const id = await o.create('Job__c', { Name: 'full', ...FULL })
  await o.create('Cost__c', { Job__c: id, Cost__c: 7 })
  return id
}

describe('numbers that may have a fraction', () => {
  test('have one in every answer, and an exponent from ten million on and below a thousandth', async () => {
    for (const [number, text] of TEXTS) {
      const field = Number.isInteger(number * 100) ? 'Price__c' : 'Hours__c'
      const id = await o.create('Job__c', { Name: 'one', [field]: number })
      const record = (await get(`/sobjects/Job__c/${id}?fields=${field}`)).texts
      assert.equal(record[field], text)
      const [found] = await query(`SELECT ${field} FROM Job__c WHERE Id = '${id}'`)
      assert.equal(found[field], text)
      const rows = await runBulkQuery(`SELECT ${field} FROM Job__c WHERE Id = '${id}'`)
      assert.deepEqual(rows, [[text]])
      const again = await o.call('PATCH', `/sobjects/Job__c/${id}`, { text: `{"${field}":${text}}` })
      assert.equal(again.status, 204, again.text)
      assert.equal((await get(`/sobjects/Job__c/${id}?fields=${field}`)).body[field], number)
    }
  })

  test('are doubles, currencies, percents, coordinates, formulas and roll-ups; an int is whole', async () => {
    const id = await makeFull()
    const names = Object.keys(SHOWN).join()
    const record = (await get(`/sobjects/Job__c/${id}`)).texts
    assert.deepEqual(pick(record, SHOWN), SHOWN)
    assert.deepEqual(record.Site__c, { latitude: '60.0', longitude: '10.5' })
    assert.equal(record.Home__c.latitude, '1.0E-4')
    assert.equal(record.Home__c.longitude, null)
    const [found] = await query(`SELECT ${names} FROM Job__c WHERE Id = '${id}'`)
    assert.deepEqual(pick(found, SHOWN), SHOWN)
    assert.deepEqual(await runBulkQuery(`SELECT ${names} FROM Job__c WHERE Id = '${id}'`), [
      Object.values(SHOWN),
    ])
    const [cost] = await query(
      `SELECT Cost__c, Job__r.Price__c FROM Cost__c WHERE Job__c = '${id}' AND Job__r.Steps__c = 3`,
    )
    assert.deepEqual([cost.Cost__c, cost.Job__r.Price__c], ['7.0', '2.0E7'])
    const [parent] = await query(`SELECT Id, (SELECT Cost__c FROM Costs__r) FROM Job__c WHERE Id = '${id}'`)
    assert.equal(parent.Costs__r.records[0].Cost__c, '7.0')
    const collected = await get(`/composite/sobjects/Job__c?ids=${id}&fields=Price__c,Steps__c`)
    assert.deepEqual(pick(collected.texts[0], { Price__c: 0, Steps__c: 0 }), {
      Price__c: '2.0E7',
      Steps__c: '3',
    })
  })

  test('are sums, averages, the least and the largest of them, and distances; counts and sums of ints are whole', async () => {
    const name = 'of a group'
    for (const more of [
      { Price__c: 10_000_000, Hours__c: 1, Steps__c: 1 },
      { Price__c: 5_000_000, Hours__c: 3, Steps__c: 3 },
    ]) {
      await o.create('Job__c', { Name: name, Site__Latitude__s: 0, Site__Longitude__s: 0, ...more })
    }
    const of = `FROM Job__c WHERE Name = '${name}'`
    const [group] = await query(
      `SELECT SUM(Price__c) a, AVG(Hours__c) b, MIN(Price__c) c, MAX(Price__c) d, SUM(Steps__c) e, AVG(Steps__c) f, MAX(Steps__c) g, COUNT(Id) h, COUNT_DISTINCT(Hours__c) i ${of}`,
    )
    const { attributes: _, ...values } = group
    assert.deepEqual(values, {
      a: '1.5E7',
      b: '2.0',
      c: '5000000.0',
      d: '1.0E7',
      e: '4',
      f: '2.0',
      g: '3',
      h: '2',
      i: '2',
    })
    const [near] = await query(
      `SELECT DISTANCE(Site__c, GEOLOCATION(0, 0), 'km') away, Price__c ${of} ORDER BY Price__c`,
    )
    assert.deepEqual([near.away, near.Price__c], ['0.0', '5000000.0'])
    const [shown] = await query(
      `SELECT FORMAT(Price__c) shown, FORMAT(Hours__c) hours ${of} ORDER BY Price__c`,
    )
    assert.deepEqual([shown.shown, shown.hours], ['$5,000,000.00', '3'])
  })

  test('are texts of the same form in the results of list views', async () => {
    await o.create('Job__c', { Name: '0', Price__c: 12_345_678, Hours__c: 2, Steps__c: 2 })
    const { body } = await get('/sobjects/Job__c/listviews')
    const { id } = body.listviews.find(
      ({ developerName }: { developerName: string }) => developerName === 'All',
    )
    const { records } = (await get(`/sobjects/Job__c/listviews/${id}/results?limit=2000`)).body
    const values = records.map(({ columns }: { columns: { value: unknown }[] }) =>
      columns.map(({ value }) => value),
    )
    assert.deepEqual(values.find(([name]: unknown[]) => name === '0').slice(0, 4), [
      '0',
      '1.2345678E7',
      '2.0',
      '2',
    ])
  })

  test('are the same in further pages, indented, and in the results of steps, small and large', async () => {
    const records = Array.from({ length: 200 }, (_, at) => ({
      attributes: { type: 'Job__c' },
      Name: `paged ${at}`,
      Price__c: 7,
      Copy__c: 'x'.repeat(40),
    }))
    for (let times = 0; times < 4; times++) {
      const { status, text } = await o.call('POST', '/composite/sobjects', { body: { records } })
      assert.equal(status, 200, text)
    }
    const asked = "SELECT Name, Price__c, Copy__c FROM Job__c WHERE Name LIKE 'paged%' ORDER BY Name"
    const headers = { 'sforce-query-options': 'batchSize=500' }
    const first = await o.call('GET', queryPath(asked), { headers })
    const next = await get(first.body.nextRecordsUrl)
    assert.equal(next.texts.records.length, 300)
    const url = `${V64}${queryPath(asked)}`
    const indented = await o.call('GET', `${queryPath(asked)}`, { headers: { 'x-prettyprint': '1' } })
    const batch = await o.call('POST', '/composite/batch', {
      body: { batchRequests: [{ method: 'GET', url: url.replace('/services/data/', '') }] },
    })
    const indentedBatch = await o.call('POST', '/composite/batch', {
      body: { batchRequests: [{ method: 'GET', url: url.replace('/services/data/', '') }] },
      headers: { 'x-prettyprint': '1' },
    })
    const composite = await post(o, [step('GET', queryPath(asked))])
    for (const { text } of [first, next, indented, batch, indentedBatch, composite]) {
      const prices = text.match(/"Price__c" ?: ?[^,]+/g)!
      assert.ok(prices.length >= 300)
      assert.deepEqual([...new Set(prices.map((price) => price.split(/ ?: ?/)[1]))], ['7.0'])
    }
  })

  test('are numbers where later steps of a composite refer to them', async () => {
    const id = await o.create('Job__c', { Name: 'from', Price__c: 20_000_000, Hours__c: 3 })
    const { body, text } = await post(o, [
      step('GET', `/sobjects/Job__c/${id}`, undefined, 'a'),
      step(
        'POST',
        '/sobjects/Job__c',
        { Name: 'to', Price__c: '@{a.Price__c}', Hours__c: '@{a.Hours__c}', Copy__c: 'x@{a.Price__c}' },
        'b',
      ),
      step('GET', '/sobjects/Job__c/@{b.id}?fields=Price__c,Hours__c,Copy__c', undefined, 'c'),
      step(
        'GET',
        queryPath(`SELECT Price__c FROM Job__c WHERE Name = 'from' AND Price__c = @{c.Price__c}`)
          .replaceAll('%40%7B', '@{')
          .replaceAll('%7D', '}'),
        undefined,
        'd',
      ),
      step('GET', '/sobjects/Job__c/@{a.Price__c.rawJSON}', undefined, 'e'),
    ])
    const [, , copy, found, wrong] = body.compositeResponse
    assert.deepEqual(pick(copy.body, { Price__c: 0, Hours__c: 0, Copy__c: 0 }), {
      Price__c: 20_000_000,
      Hours__c: 3,
      Copy__c: 'x20000000',
    })
    assert.equal(found.body.records.length, 1, text)
    assert.equal(wrong.body[0].errorCode, 'PROCESSING_HALTED')
  })

  test('are read back from the rows of a bulk query', async () => {
    const id = await makeFull()
    const names = 'Hours__c,Price__c,Share__c,Steps__c'
    const [row] = await runBulkQuery(`SELECT ${names} FROM Job__c WHERE Id = '${id}'`)
    const job = await ingest(
      o,
      { object: 'Job__c', operation: 'insert', contentType: 'CSV' },
      `Name,${names}\nback,${row!.join()}\n`,
    )
    assert.equal(job.numberRecordsFailed, 0)
    const [back] = (await get(queryPath(`SELECT ${names} FROM Job__c WHERE Name = 'back'`))).body.records
    assert.deepEqual(
      pick(back, { Hours__c: 0, Price__c: 0, Share__c: 0, Steps__c: 0 }),
      pick(FULL, { Hours__c: 0, Price__c: 0, Share__c: 0, Steps__c: 0 }),
    )
  })

  test('are the same in the history of a record, in queries, reads, steps and rows of bulk queries', async () => {
    const id = await o.create('Rate__c', {
      Name: 'kept',
      Price__c: -12.5,
      Hours__c: 0,
      Share__c: null,
      Steps__c: 1,
    })
    const body = { Price__c: 100, Hours__c: 115_056_052, Share__c: 0.0001, Steps__c: 20_000_000 }
    assert.equal((await o.call('PATCH', `/sobjects/Rate__c/${id}`, { body })).status, 204)
    const pairs = (rows: { Field: string; OldValue: unknown; NewValue: unknown }[]) =>
      Object.fromEntries(
        rows.flatMap((row) => (row.Field === 'created' ? [] : [[row.Field, [row.OldValue, row.NewValue]]])),
      )
    const kept = {
      Price__c: ['-12.5', RATE.Price__c],
      Hours__c: ['0.0', RATE.Hours__c],
      Share__c: [null, RATE.Share__c],
      Steps__c: ['1', RATE.Steps__c],
    }
    const text = `SELECT Id, Field, OldValue, NewValue FROM Rate__History WHERE ParentId = '${id}'`
    const rows = await query(text)
    assert.deepEqual(pairs(rows), kept)
    const [parent] = await query(
      `SELECT (SELECT Field, OldValue, NewValue FROM Histories) FROM Rate__c WHERE Id = '${id}'`,
    )
    assert.deepEqual(pairs(parent.Histories.records), kept)
    assert.deepEqual(pairs((await get(`/sobjects/Rate__c/${id}/Histories`)).texts.records), kept)
    const price = rows.find(({ Field }: { Field: string }) => Field === 'Price__c')
    assert.equal((await get(`/sobjects/Rate__History/${price.Id}`)).texts.NewValue, RATE.Price__c)
    const { text: steps } = await post(o, [step('GET', queryPath(text))])
    for (const [, value] of Object.values(kept)) assert.ok(steps.includes(`"NewValue":${value}}`), steps)
    const lines = await runBulkQuery(text)
    assert.deepEqual(
      pairs(
        lines.map(([, Field, OldValue, NewValue]) => ({
          Field: Field!,
          OldValue: OldValue || null,
          NewValue,
        })),
      ),
      kept,
    )
    const ofCode = await get('/services/customrest/history')
    assert.deepEqual(ofCode.body, ['number 100', 'number 100'])
    const document = `{ uiapi { query { Rate__History(where: { Id: { eq: "${price.Id}" } }) { edges { node { OldValue { value } NewValue { value } } } } } } }`
    const { text: graphql } = await o.call('POST', '/graphql', { body: { query: document } })
    assert.ok(graphql.includes('{"OldValue":{"value":"-12.5"},"NewValue":{"value":"100"}}'), graphql)
  })

  test('are the same where the default of a field is shown', async () => {
    assert.deepEqual(pick((await get('/sobjects/Rate__c/defaultValues')).texts, RATE), RATE)
    const names = Object.keys(RATE).join()
    const named = (await get(`/sobjects/Rate__c/defaultValues?fields=${names}`)).texts
    assert.deepEqual(pick(named, RATE), RATE)
    const { fields } = (await get('/sobjects/Rate__c/describe')).texts
    const described = fields.map(({ name, defaultValue }: { name: string; defaultValue: unknown }) => [
      name,
      defaultValue,
    ])
    assert.deepEqual(pick(Object.fromEntries(described), RATE), RATE)
  })

  test('are numbers in GraphQL', async () => {
    const id = await makeFull()
    const document = `{ uiapi { query { Job__c(where: { Id: { eq: "${id}" } }) { edges { node { Price__c { value } Hours__c { value } } } } } } }`
    const { text } = await o.call('POST', '/graphql', { body: { query: document } })
    assert.ok(text.includes('"Price__c":{"value":20000000},"Hours__c":{"value":5}'), text)
  })

  test('are numbers for deployed code and triggers', async () => {
    const id = await makeFull()
    const { body } = await get(`/services/customrest/types/${id}`)
    const types = ['number 20000000', 'number 5', 'number 10000000', 'number 60']
    assert.deepEqual(body, { read: types, asked: types, sum: 20_000_001 })
    const changed = await o.call('PATCH', `/sobjects/Job__c/${id}`, { body: { Price__c: 2, Copy__c: 'add' } })
    assert.equal(changed.status, 204, changed.text)
    assert.equal((await get(`/sobjects/Job__c/${id}?fields=Hours__c`)).texts.Hours__c, '7.0')
  })
})
