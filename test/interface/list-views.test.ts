import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { recordsOf, resultOf } from '../support/ask.ts'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { stepsOf } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'

let o: TestOrg
let clerk: Person

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any

const BOX = {
  labelPlural: 'Boxes',
  fields: {
    Size__c: { type: 'picklist', values: ['S', 'M', 'L'] },
    Count__c: { type: 'int' },
    Note__c: { type: 'longtextarea' },
    Text__c: { type: 'longtextarea' },
    Account__c: { type: 'reference', to: 'Account' },
  },
  listViews: {
    Big: {
      label: 'Big boxes',
      columns: ['name', 'SIZE__c', 'account__r.name', 'Count__c', 'Owner.Name'],
      where: "Size__c IN ('M', 'L') AND (NOT Count__c = null)",
      orderBy: 'Count__c DESC NULLS LAST, Name',
    },
    Mine: { scope: 'mine', where: 'CreatedDate = LAST_N_DAYS:7' },
    Long: { columns: ['Name', 'Note__c', 'Text__c'] },
    Plain: null,
  },
} as const

before(async () => {
  o = await openOrg()
  await stepsOf(o, { Box__c: BOX as never })
  const account = await o.create('Account', { Name: 'Acme' })
  const sizes = ['S', 'M', 'L', 'L']
  for (const [at, Size__c] of sizes.entries()) {
    const Account__c = at === 3 ? account : null
    await o.create('Box__c', { Name: `Box ${at}`, Size__c, Count__c: at === 1 ? null : at, Account__c })
  }
  clerk = await addPerson(o, 'clerk')
  await allow(o, clerk.setId, 'Box__c', 'Read', 'Create')
  await allowField(o, clerk.setId, 'Box__c.Size__c')
})

const url = (rest = '') => `/sobjects/Box__c/listviews${rest}`

async function get(rest: string, caller: Pick<TestOrg, 'call'> = o): Promise<Body> {
  const { status, body, text } = await caller.call('GET', url(rest))
  assert.equal(status, 200, text)
  return body
}

const pathsOf = (body: Body) =>
  body.columns.filter((column: Body) => !column.hidden).map((column: Body) => column.fieldNameOrPath)
const valuesOf = (body: Body, at: number) =>
  body.records.map((record: Body) => record.columns.slice(0, at).map((column: Body) => column.value))
const HIDDEN = ['Id', 'CreatedDate', 'LastModifiedDate', 'SystemModstamp']

describe('the list views of an object', () => {
  test('are all of its records, those of the caller, and the ones of its definition', async () => {
    const { listviews, ...rest } = await get('')
    assert.deepEqual(rest, { done: true, nextRecordsUrl: null, size: 6, sobjectType: 'Box__c' })
    assert.deepEqual(
      listviews.map((view: Body) => [view.developerName, view.label]),
      [
        ['AllBoxes', 'All Boxes'],
        ['MyBoxes', 'My Boxes'],
        ['Big', 'Big boxes'],
        ['Mine', 'Mine'],
        ['Long', 'Long'],
        ['Plain', 'Plain'],
      ],
    )
    for (const view of listviews) {
      assert.match(view.id, /^00B\w{15}$/)
      assert.equal(view.soqlCompatible, true)
      const address = `/services/data/v64.0${url(`/${view.id}`)}`
      assert.deepEqual(
        [view.url, view.describeUrl, view.resultsUrl],
        [address, `${address}/describe`, `${address}/results`],
      )
      for (const one of [
        view.url,
        `${url()}/${view.id.slice(0, 15)}`,
        url(`/${view.developerName.toUpperCase()}`),
      ]) {
        assert.deepEqual((await o.call('GET', one)).body, view)
      }
      assert.equal((await o.call('GET', view.describeUrl)).body.id, view.id)
      assert.equal((await o.call('GET', view.resultsUrl)).body.id, view.id)
    }
    assert.equal(new Set(listviews.map((view: Body) => view.id)).size, 6)
  })

  test('have ids that stay, and are records that clients find by a query and do not write', async () => {
    const { listviews } = await get('')
    const records = await recordsOf(
      o,
      "SELECT Id, Name, DeveloperName, IsSoqlCompatible FROM ListView WHERE SobjectType = 'Box__c' ORDER BY Id",
    )
    const written = listviews.slice(2).map(({ id, label, developerName }: Body) => ({
      Id: id,
      Name: label,
      DeveloperName: developerName,
      IsSoqlCompatible: true,
    }))
    assert.deepEqual(records, written)
    const body = { Name: 'x' }
    for (const [method, path] of [
      ['POST', '/sobjects/ListView'],
      ['PATCH', `/sobjects/ListView/${written[0].Id}`],
      ['DELETE', `/sobjects/ListView/${written[0].Id}`],
    ] as const) {
      const { status } = await o.call(method, path, { body: method === 'DELETE' ? undefined : body })
      assert.ok(status >= 400 && status < 500, `${method}: ${status}`)
    }
  })

  test('of an object whose records have no owner or no name are what makes sense', async () => {
    const names = async (object: string) =>
      (await o.call('GET', `/sobjects/${object}/listviews`)).body.listviews.map(
        (view: Body) => view.developerName,
      )
    assert.deepEqual(await names('Product2'), ['AllProducts'])
    assert.deepEqual(await names('ObjectPermissions'), [])
    assert.deepEqual(await names('Account'), ['AllAccounts', 'MyAccounts'])
  })

  test('were not used by anybody, as far as is kept', async () => {
    const { listviews, done } = await get('/recent')
    assert.deepEqual([listviews, done], [[], true])
  })
})

describe('the describe of a list view', () => {
  test('has its columns, order and condition, and a query that can be sent as it is', async () => {
    const body = await get('/Big/describe')
    assert.deepEqual(pathsOf(body), ['Name', 'Size__c', 'Account__r.Name', 'Count__c', 'Owner.Name'])
    const hidden = body.columns.filter((column: Body) => column.hidden)
    assert.deepEqual(
      hidden.map((column: Body) => column.fieldNameOrPath),
      HIDDEN,
    )
    assert.deepEqual(body.columns[3], {
      ascendingLabel: '9-0',
      descendingLabel: '0-9',
      fieldNameOrPath: 'Count__c',
      hidden: false,
      label: 'Count',
      searchable: false,
      selectListItem: 'Count__c',
      sortDirection: 'descending',
      sortIndex: 0,
      sortable: true,
      type: 'int',
    })
    assert.deepEqual(body.orderBy, [
      { fieldNameOrPath: 'Count__c', nullsPosition: 'last', sortDirection: 'descending' },
      { fieldNameOrPath: 'Name', nullsPosition: 'first', sortDirection: 'ascending' },
      { fieldNameOrPath: 'Id', nullsPosition: 'first', sortDirection: 'ascending' },
    ])
    assert.deepEqual(body.whereCondition, {
      conditions: [
        { field: 'Size__c', operator: 'in', values: ['M', 'L'] },
        { condition: { field: 'Count__c', operator: 'equals', values: ['null'] } },
      ],
      conjunction: 'and',
    })
    assert.deepEqual([body.scope, body.sobjectType], ['everything', 'Box__c'])
    const { records } = await resultOf(o, body.query)
    assert.deepEqual(
      records.map((record: Body) => record.Name),
      ['Box 3', 'Box 2'],
    )
  })

  test('of one that says little has the fields by which people know a record, by name', async () => {
    const body = await get('/Plain/describe')
    assert.deepEqual(pathsOf(body), ['Name', 'Size__c', 'Count__c'])
    assert.match(body.query, /FROM Box__c ORDER BY Name ASC NULLS FIRST, Id ASC NULLS FIRST$/)
    assert.deepEqual(body.whereCondition, { conditions: [], conjunction: 'and' })
    const mine = await get('/mine/describe')
    assert.match(mine.query, / USING SCOPE mine WHERE CreatedDate = LAST_N_DAYS:7 ORDER BY /)
    assert.deepEqual(mine.whereCondition.values, ['LAST_N_DAYS:7'])
  })
})

describe('the results of a list view', () => {
  test('are records as lists of their columns, values as texts', async () => {
    const body = await get('/Big/results')
    const { columns, records, ...rest } = body
    const [{ id }] = (await get('')).listviews.slice(2)
    assert.deepEqual(rest, { developerName: 'Big', done: true, id, label: 'Big boxes', size: 2 })
    assert.deepEqual(columns, (await get('/Big/describe')).columns)
    const [{ Name: owner }] = (await recordsOf(o, `SELECT Name FROM User WHERE Id = '${o.userId}'`)) as [Body]
    assert.deepEqual(valuesOf(body, 5), [
      ['Box 3', 'L', 'Acme', '3', owner],
      ['Box 2', 'L', null, '2', owner],
    ])
    const paths = records[0].columns.map((column: Body) => column.fieldNameOrPath)
    assert.deepEqual(
      paths,
      columns.map((column: Body) => column.fieldNameOrPath),
    )
    assert.match(records[0].columns.at(-1).value, /^\d{4}-\d\d-\d\dT[\d:.]+\+0000$/)
  })

  test('come in pieces of a limit from an offset on', async () => {
    const names = async (query: string) => {
      const body = await get(`/AllBoxes/results${query}`)
      return [body.done, body.size, ...valuesOf(body, 1).flat()]
    }
    assert.deepEqual(await names('?limit=2'), [false, 2, 'Box 0', 'Box 1'])
    assert.deepEqual(await names('?limit=2&offset=2'), [true, 2, 'Box 2', 'Box 3'])
    assert.deepEqual(await names('?limit=2000&offset=3'), [true, 1, 'Box 3'])
    assert.deepEqual(await names('?offset=2000'), [true, 0])
    for (const bad of [
      'limit=0',
      'limit=2001',
      'limit=x',
      'limit=',
      'limit=-1',
      'offset=-1',
      'offset=2001',
    ]) {
      const answer = await o.call('GET', url(`/AllBoxes/results?${bad}`))
      assertRefused(
        answer,
        400,
        'ILLEGAL_QUERY_PARAMETER_VALUE',
        /^Value for parameter (limit|offset) is a whole/,
      )
    }
  })

  test('of records with long texts are done when there are no more', async () => {
    const body = await get('/Long/results?limit=2000')
    assert.deepEqual([body.done, body.size], [true, 4])
  })

  test('are those that the caller may see, in the columns that he may see', async () => {
    const own = await clerk.org.create('Box__c', { Name: 'Own' })
    const mine = await get('/MyBoxes/results', clerk)
    assert.deepEqual(valuesOf(mine, 1), [['Own']])
    assert.equal(valuesOf(await get('/MyBoxes/results'), 1).length, 4)
    const long = await get('/Plain/describe', clerk)
    assert.deepEqual(pathsOf(long), ['Name', 'Size__c'])
    assert.ok(
      !(await get('/Plain/results', clerk)).columns.some((one: Body) => one.fieldNameOrPath === 'Count__c'),
    )
    for (const path of ['/Big/describe', '/Big/results']) {
      assertRefused(await clerk.call('GET', url(path)), 400, 'INVALID_FIELD', /No such column 'Count__c'/)
    }
    assert.equal((await o.call('DELETE', `/sobjects/Box__c/${own}`)).status, 204)
  })
})

test('a list view or an object that is not there is not found', async () => {
  for (const path of [
    url('/Nothing'),
    url('/00B000000000001AAA'),
    url('/Nothing/describe'),
    url('/Nothing/results'),
    '/sobjects/Nothing__c/listviews',
    '/sobjects/Nothing__c/listviews/recent',
    '/sobjects/Account/listviews/Big',
  ]) {
    assertRefused(await o.call('GET', path), 404, 'NOT_FOUND', NO_RESOURCE)
  }
})
