import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Observer } from '../../src/records/prepare/planned-write.ts'
import { OBSERVERS } from '../../src/records/steps/observers.ts'
import { fetchRecords } from '../support/ask.ts'
import { fetchSteps, type Objects } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPrices } from '../support/prices.ts'

/* An observer beside the history: it writes down what it is told, whatever is written. */

const SCHEMA = {
  Box__c: {
    label: 'Box',
    labelPlural: 'Boxes',
    fields: {
      Weight__c: {
        type: 'double',
        rollUp: { object: 'Part__c', reference: 'Box__c', function: 'sum', field: 'Weight__c' },
      },
    },
  },
  Part__c: {
    label: 'Part',
    labelPlural: 'Parts',
    fields: {
      Box__c: { type: 'reference', to: 'Box__c', masterDetail: 0, children: 'Parts__r' },
      Weight__c: { type: 'double', scale: 0 },
      Key__c: { type: 'string', externalId: true, unique: true },
    },
  },
  Note__c: {
    label: 'Note',
    labelPlural: 'Notes',
    fields: { Box__c: { type: 'reference', to: 'Box__c', children: 'Notes__r' } },
  },
} satisfies Objects

describe('an observer of writes', () => {
  let o: TestOrg
  let told: string[] = []
  let isDeaf = true

  const observer: Observer = {
    wants: () => !isDeaf,
    async tell({ ctx, kind, object, records }, audit) {
      assert.ok(ctx.db.isTransaction)
      const fields = new Set(records.flatMap(({ values }) => [...values.keys()].map(({ name }) => name)))
      const changed = kind === 'update' ? [...fields].sort() : []
      told.push([kind, records.length, object.name, ...changed].join(' '))
      return audit
    },
  }

  /** Returns the observations of a call that succeeds. */
  async function hear(method: string, path: string, body?: object): Promise<string[]> {
    isDeaf = false
    try {
      const { status, text } = await o.call(method, path, body === undefined ? {} : { body })
      assert.ok(status < 300, text)
    } finally {
      isDeaf = true
    }
    return told.splice(0)
  }

  before(async () => {
    OBSERVERS.push(observer)
    o = await openOrg()
    await fetchSteps(o, SCHEMA, { mode: 'keep' })
  })
  beforeEach(() => {
    told = []
  })
  after(() => {
    OBSERVERS.splice(OBSERVERS.indexOf(observer), 1)
  })

  test('is told of creations and changes, whichever call makes them, and of parents that they change', async () => {
    const box = await o.create('Box__c', { Name: 'Crate' })
    const body = { Name: 'Lid', Box__c: box, Weight__c: 3 }
    const sum = 'update 1 Box__c Weight__c'
    assert.deepEqual(await hear('POST', '/sobjects/Part__c', body), ['insert 1 Part__c', sum])
    const path = '/sobjects/Part__c/Key__c/one'
    assert.deepEqual(await hear('PATCH', path, { ...body, Weight__c: 4 }), ['insert 1 Part__c', sum])
    assert.deepEqual(await hear('PATCH', path, { Weight__c: 5 }), ['update 1 Part__c Weight__c', sum])
    assert.deepEqual(await hear('PATCH', path, { Name: 'Top' }), ['update 1 Part__c Name'])
    const list = (...records: object[]) => ({
      records: records.map((record) => ({ attributes: { type: 'Part__c' }, ...record })),
    })
    assert.deepEqual(
      await hear('POST', '/composite/sobjects', list({ Name: 'A', Box__c: box }, { Name: 'B', Box__c: box })),
      ['insert 2 Part__c'],
    )
  })

  test('is told of what a deletion takes along and a restoration brings back, not of references that are cleared', async () => {
    const box = await o.create('Box__c', { Name: 'Crate' })
    for (const Name of ['A', 'B']) await o.create('Part__c', { Name, Box__c: box, Weight__c: 1 })
    await o.create('Note__c', { Name: 'Fragile', Box__c: box })
    assert.deepEqual(await hear('DELETE', `/sobjects/Box__c/${box}`), ['delete 1 Box__c', 'delete 2 Part__c'])
    assert.deepEqual(await hear('POST', '/undelete', { ids: [box] }), [
      'undelete 1 Box__c',
      'undelete 2 Part__c',
    ])
  })

  test('is told of records that the platform adds, changes and removes beside those of the caller', async () => {
    const told = await hear('POST', '/sobjects/Campaign', { Name: 'Fair' })
    assert.deepEqual(told, ['insert 1 Campaign', 'insert 2 CampaignMemberStatus'])
  })

  test('is told of parents that follow as a client would change them', async () => {
    const { book, entry } = await addPrices(o)
    const deal = { Name: 'Big', StageName: 'Prospecting', CloseDate: '2026-12-31', Pricebook2Id: book }
    const opportunity = await o.create('Opportunity', deal)
    const line = { OpportunityId: opportunity, PricebookEntryId: entry, Quantity: 2, UnitPrice: 5 }
    const [first, second, ...more] = await hear('POST', '/sobjects/OpportunityLineItem', line)
    assert.equal(first, 'insert 1 OpportunityLineItem')
    assert.match(second!, /^update 1 Opportunity Amount /)
    assert.deepEqual(more, [])
    const [stored] = await fetchRecords(o, `SELECT Amount FROM Opportunity WHERE Id = '${opportunity}'`)
    assert.equal(stored!.Amount, 10)
  })
})
