import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { type Body, type BoxViews, boxViews, openBoxViews, pathsOf } from '../support/box-views.ts'
import type { TestOrg } from '../support/org.ts'
import type { Person } from '../support/people.ts'

let o: TestOrg
let get: BoxViews['get']
let clerk: Person

before(async () => {
  ;({ o, get, clerk } = await openBoxViews())
})

const valuesOf = (body: Body, at: number) =>
  body.records.map((record: Body) => record.columns.slice(0, at).map((column: Body) => column.value))

describe('the results of a list view', () => {
  test('are records as lists of their columns, values as texts', async () => {
    const body = await get('/Big/results')
    const { columns, records, ...rest } = body
    const [{ id }] = (await get('')).listviews.slice(2)
    assert.deepEqual(rest, { developerName: 'Big', done: true, id, label: 'Big boxes', size: 2 })
    assert.deepEqual(columns, (await get('/Big/describe')).columns)
    const [{ Name: owner }] = (await fetchRecords(o, `SELECT Name FROM User WHERE Id = '${o.userId}'`)) as [
      Body,
    ]
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
      const answer = await o.call('GET', boxViews(`/AllBoxes/results?${bad}`))
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

  test('are those that the caller may see, in the columns that the caller may see', async () => {
    const own = await clerk.org.create('Box__c', { Name: 'Own' })
    const mine = await get('/MyBoxes/results', clerk)
    assert.deepEqual(valuesOf(mine, 1), [['Own']])
    assert.equal(valuesOf(await get('/MyBoxes/results'), 1).length, 4)
    const long = await get('/Plain/describe', clerk)
    assert.deepEqual(pathsOf(long), ['Name', 'Size__c'])
    assert.ok(
      !(await get('/Plain/results', clerk)).columns.some((one: Body) => one.fieldNameOrPath === 'Count__c'),
    )
    assert.equal((await o.call('DELETE', `/sobjects/Box__c/${own}`)).status, 204)
  })

  test('that is filtered by what the caller may not see are refused without quoting the filter, whatever asks for them', async () => {
    const listed = (await clerk.call('GET', boxViews(''))).body.listviews
    const { id } = listed.find(({ developerName }: Body) => developerName === 'Big')
    const search = encodeURIComponent('FIND {Own} RETURNING Box__c(Name USING ListView = Big)')
    for (const path of [
      boxViews('/Big/describe'),
      boxViews('/Big/results'),
      `/query?explain=${id}`,
      `/search?q=${search}`,
    ]) {
      const message = 'The list view Big filters by a field that you cannot see'
      assertRefused(await clerk.call('GET', path), 400, 'INVALID_FIELD', message)
      assert.equal((await o.call('GET', path)).status, 200)
    }
  })
})
