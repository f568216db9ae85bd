import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords, fetchResult } from '../support/ask.ts'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { type Body, type BoxViews, boxViews, openBoxViews, pathsOf } from '../support/box-views.ts'
import type { TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'

let o: TestOrg
let get: BoxViews['get']

before(async () => {
  ;({ o, get } = await openBoxViews())
})

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
      const address = `/services/data/v64.0${boxViews(`/${view.id}`)}`
      assert.deepEqual(
        [view.url, view.describeUrl, view.resultsUrl],
        [address, `${address}/describe`, `${address}/results`],
      )
      for (const one of [
        view.url,
        `${boxViews()}/${view.id.slice(0, 15)}`,
        boxViews(`/${view.developerName.toUpperCase()}`),
      ]) {
        assert.deepEqual((await o.call('GET', one)).body, view)
      }
      assert.equal((await o.call('GET', view.describeUrl)).body.id, view.id)
      assert.equal((await o.call('GET', view.resultsUrl)).body.id, view.id)
    }
    assert.equal(new Set(listviews.map((view: Body) => view.id)).size, 6)
  })

  test('of an object that a user may not read do not exist for that user, as its record types', async () => {
    const person = await addPerson(o, 'viewer')
    await allow(o, person.setId, 'Contact', 'Read')
    for (const object of ['ListView', 'RecordType']) {
      const query = `SELECT SobjectType FROM ${object} GROUP BY SobjectType`
      const { body, text } = await person.call('GET', `/query?q=${encodeURIComponent(query)}`)
      const types = body.records.map(({ SobjectType }: Body) => SobjectType)
      assert.ok(!types.includes('Box__c') && !types.includes('Account'), text)
    }
    const { listviews } = await get('')
    assert.equal((await person.call('GET', `/sobjects/ListView/${listviews.at(-1).id}`)).status, 404)
    const query = "SELECT Id FROM ListView WHERE SobjectType = 'Box__c'"
    assert.notDeepEqual(await fetchRecords(o, query), [])
  })

  test('have ids that stay, and are records that clients find by a query and do not write', async () => {
    const { listviews } = await get('')
    const records = await fetchRecords(
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
    const { records } = await fetchResult(o, body.query)
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

test('a list view or an object that is not there is not found', async () => {
  for (const path of [
    boxViews('/Nothing'),
    boxViews('/00B000000000001AAA'),
    boxViews('/Nothing/describe'),
    boxViews('/Nothing/results'),
    '/sobjects/Nothing__c/listviews',
    '/sobjects/Nothing__c/listviews/recent',
    '/sobjects/Account/listviews/Big',
  ]) {
    assertRefused(await o.call('GET', path), 404, 'NOT_FOUND', NO_RESOURCE)
  }
})
