import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ObjectFile } from '../../src/definitions/formats/object-file.ts'
import type { RollUpDefinition } from '../../src/schema/fields/field-definition.ts'
import { deploy, fetchRefusals, type Objects } from '../support/deploying.ts'
import { assertValues } from '../support/derived.ts'
import { finishUpgrades } from '../support/finish-upgrades.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { triggersFrom } from '../support/trigger-files.ts'

const rollUp = (what: Pick<RollUpDefinition, 'function' | 'field' | 'filter'>): RollUpDefinition => ({
  object: 'Line__c',
  reference: 'Bill__c',
  ...what,
})

const OBJECTS: Objects = {
  House__c: {
    fields: {
      Bills__c: { type: 'double', rollUp: { object: 'Bill__c', reference: 'House__c', function: 'count' } },
      Total__c: {
        type: 'currency',
        scale: 2,
        rollUp: { object: 'Bill__c', reference: 'House__c', function: 'sum', field: 'Total__c' },
      },
    },
  },
  Bill__c: {
    fields: {
      House__c: {
        type: 'reference',
        to: 'House__c',
        masterDetail: 0,
        children: 'Bills__r',
        reparentable: true,
      },
      Limit__c: { type: 'currency', scale: 2 },
      Lines__c: { type: 'double', rollUp: rollUp({ function: 'count' }) },
      Paid__c: {
        type: 'double',
        rollUp: rollUp({ function: 'count', filter: "ISPICKVAL(State__c, 'Paid')" }),
      },
      Total__c: { type: 'currency', scale: 2, rollUp: rollUp({ function: 'sum', field: 'Gross__c' }) },
      Least__c: { type: 'currency', scale: 2, rollUp: rollUp({ function: 'min', field: 'Net__c' }) },
      Last__c: {
        type: 'date',
        rollUp: rollUp({ function: 'max', field: 'Day__c', filter: 'Net__c > 10' }),
      },
      Twice__c: { type: 'currency', scale: 2, formula: 'Total__c * 2' },
    },
    validations: {
      Limit: { condition: 'NOT(ISBLANK(Limit__c)) && Total__c > Limit__c', message: 'Above the limit.' },
    },
  },
  Line__c: {
    fields: {
      Bill__c: {
        type: 'reference',
        to: 'Bill__c',
        masterDetail: 0,
        children: 'Lines__r',
        reparentable: true,
      },
      Net__c: { type: 'currency', scale: 2 },
      Gross__c: { type: 'currency', scale: 2, formula: 'Net__c * 1.2' },
      Day__c: { type: 'date' },
      State__c: { type: 'picklist', values: ['Open', 'Paid'] },
      Key__c: { type: 'string', externalId: true, unique: true },
    },
  },
}

/** Observations of the bill by triggers. */
const seen: unknown[] = []
Object.assign(globalThis, { seenBills: seen })

const TRIGGERS = {
  'line.ts': `
    export default {
      object: 'Line__c',
      async afterInsert(changes: any[], org: any) {
        const [bill] = await org.query("SELECT Lines__c FROM Bill__c WHERE Id = '" + changes[0].record.Bill__c + "'")
        ;(globalThis as any).seenBills.push(['line', bill.Lines__c])
      },
    }`,
  'bill.ts': `
    export default {
      object: 'Bill__c',
      beforeUpdate(changes: any[]) { for (const { record, old } of changes) (globalThis as any).seenBills.push(['bill', old.Lines__c, record.Lines__c]) },
    }`,
}

/** There is no other way to restore a record. */
const UNDELETE = {
  'undelete.ts': `
    export default {
      object: 'Account',
      async afterInsert(changes: any[], org: any) {
        for (const { record } of changes)
          if (record.Description !== null) await org.undelete(record.Name, [record.Description])
      },
    }`,
}

let o: TestOrg

before(async () => {
  o = await openOrg({ triggers: await triggersFrom(UNDELETE) })
  const answer = await deploy(o, OBJECTS)
  assert.equal(answer.status, 200, answer.text)
  await finishUpgrades(o)
})

const makeHouse = () => o.create('House__c', { Name: 'House' })
const makeBill = async (values: object = {}) =>
  o.create('Bill__c', { House__c: await makeHouse(), ...values })
const undelete = (object: string, id: string) => o.create('Account', { Name: object, Description: id })
const EMPTY = { Lines__c: 0, Paid__c: 0, Total__c: 0, Least__c: null, Last__c: null, Twice__c: 0 }

describe('A roll-up', () => {
  test('of nothing is 0, or null for the least and the largest', async () => {
    await assertValues(o, 'Bill__c', await makeBill(), EMPTY)
  })

  test('follows creates, changes, deletions and restorations of details, also through their formulas', async () => {
    const bill = await makeBill()
    const first = await o.create('Line__c', {
      Bill__c: bill,
      Net__c: 10,
      Day__c: '2026-01-01',
      State__c: 'Paid',
    })
    await o.create('Line__c', { Bill__c: bill, Net__c: 20.5, Day__c: '2026-01-02', State__c: 'Open' })
    const both = {
      Lines__c: 2,
      Paid__c: 1,
      Total__c: 36.6,
      Least__c: 10,
      Last__c: '2026-01-02',
      Twice__c: 73.2,
    }
    await assertValues(o, 'Bill__c', bill, both)
    await o.call('PATCH', `/sobjects/Line__c/${first}`, {
      body: { Net__c: 30, Day__c: '2026-03-01', State__c: 'Open' },
    })
    await assertValues(o, 'Bill__c', bill, {
      ...both,
      Paid__c: 0,
      Total__c: 60.6,
      Least__c: 20.5,
      Last__c: '2026-03-01',
      Twice__c: 121.2,
    })
    await o.call('DELETE', `/sobjects/Line__c/${first}`)
    await assertValues(o, 'Bill__c', bill, { Lines__c: 1, Total__c: 24.6, Last__c: '2026-01-02' })
    await undelete('Line__c', first)
    await assertValues(o, 'Bill__c', bill, { Lines__c: 2, Total__c: 60.6, Last__c: '2026-03-01' })
  })

  test('follows details that are upserted by a unique key, whether they are new or not', async () => {
    const bill = await makeBill()
    const upsert = async (body: object) =>
      (await o.call('PATCH', '/sobjects/Line__c/Key__c/upserted', { body })).status
    assert.equal(await upsert({ Bill__c: bill, Net__c: 10 }), 201)
    await assertValues(o, 'Bill__c', bill, { Lines__c: 1, Total__c: 12 })
    assert.equal(await upsert({ Net__c: 20, Day__c: '2026-01-01' }), 200)
    await assertValues(o, 'Bill__c', bill, { Lines__c: 1, Total__c: 24, Last__c: '2026-01-01' })
  })

  test('moves with a detail that gets another master', async () => {
    const [from, to] = [await makeBill(), await makeBill()]
    const line = await o.create('Line__c', { Bill__c: from, Net__c: 5 })
    await o.call('PATCH', `/sobjects/Line__c/${line}`, { body: { Bill__c: to } })
    await assertValues(o, 'Bill__c', from, EMPTY)
    await assertValues(o, 'Bill__c', to, { Lines__c: 1, Total__c: 6 })
  })

  test('goes on to the master of the master', async () => {
    const house = await makeHouse()
    const bills = [await makeBill({ House__c: house }), await makeBill({ House__c: house })]
    for (const bill of bills) await o.create('Line__c', { Bill__c: bill, Net__c: 10 })
    await assertValues(o, 'House__c', house, { Bills__c: 2, Total__c: 24 })
    await o.call('DELETE', `/sobjects/Bill__c/${bills[0]}`)
    await assertValues(o, 'House__c', house, { Bills__c: 1, Total__c: 12 })
    await undelete('Bill__c', bills[0]!)
    await assertValues(o, 'House__c', house, { Bills__c: 2, Total__c: 24 })
    await assertValues(o, 'Bill__c', bills[0]!, { Lines__c: 1, Total__c: 12 })
  })

  test('is filtered and sorted by, and cannot be written', async () => {
    const bill = await makeBill()
    await o.create('Line__c', { Bill__c: bill, Net__c: 777 })
    const q = 'SELECT Id FROM Bill__c WHERE Total__c = 932.4 ORDER BY Total__c'
    const { body } = await o.call('GET', `/query?${new URLSearchParams({ q })}`)
    assert.deepEqual(
      body.records.map(({ Id }: { Id: string }) => Id),
      [bill],
    )
    const written = await o.call('PATCH', `/sobjects/Bill__c/${bill}`, { body: { Total__c: 1 } })
    assert.equal(written.body[0].errorCode, 'INVALID_FIELD_FOR_INSERT_UPDATE')
  })

  test('is described as calculated, without a formula', async () => {
    const { body } = await o.call('GET', '/sobjects/Bill__c/describe')
    const field = body.fields.find(({ name }: { name: string }) => name === 'Total__c')
    const { calculated, calculatedFormula, createable, updateable, nillable, type, defaultValue } = field
    assert.deepEqual(
      { calculated, calculatedFormula, createable, updateable, nillable, type, defaultValue },
      {
        calculated: true,
        calculatedFormula: null,
        createable: false,
        updateable: false,
        nillable: true,
        type: 'currency',
        defaultValue: null,
      },
    )
  })

  test('refuses the detail by a rule of the master', async () => {
    const bill = await makeBill({ Limit__c: 100 })
    await o.create('Line__c', { Bill__c: bill, Net__c: 50 })
    const { status, body } = await o.call('POST', '/sobjects/Line__c', {
      body: { Bill__c: bill, Net__c: 50 },
    })
    assert.equal(status, 400)
    assert.deepEqual(body[0], {
      message: 'Above the limit.',
      errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      fields: [],
    })
    await assertValues(o, 'Bill__c', bill, { Lines__c: 1, Total__c: 60 })
  })

  test('moves SystemModstamp of the master alone, and nothing where it stays the same', async () => {
    const house = await makeHouse()
    const bill = await o.create('Bill__c', { House__c: house })
    const read = async () => (await o.call('GET', `/sobjects/House__c/${house}`)).body
    const { LastModifiedDate, SystemModstamp } = await read()
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await o.call('PATCH', `/sobjects/Bill__c/${bill}`, { body: { Limit__c: 5 } })
    assert.equal((await read()).SystemModstamp, SystemModstamp)
    await o.create('Bill__c', { House__c: house })
    const after = await read()
    assert.equal(after.LastModifiedDate, LastModifiedDate)
    assert.notEqual(after.SystemModstamp, SystemModstamp)
  })

  test('follows the after-triggers of the detail and is seen by the triggers of the master', async () => {
    const watched = await openOrg({ triggers: await triggersFrom(TRIGGERS) })
    assert.equal((await deploy(watched, OBJECTS)).status, 200)
    const house = await watched.create('House__c', { Name: 'House' })
    const bill = await watched.create('Bill__c', { House__c: house })
    seen.length = 0
    await watched.create('Line__c', { Bill__c: bill, Net__c: 1 })
    assert.deepEqual(seen, [
      ['line', 0],
      ['bill', 0, 1],
    ])
  })

  test('is computed for the records that there are when it is deployed or changed, and recompute --check finds no difference', async () => {
    const bill = await makeBill()
    await o.create('Line__c', { Bill__c: bill, Net__c: 7, State__c: 'Open' })
    const fields: ObjectFile['fields'] = {
      ...OBJECTS.Bill__c!.fields,
      Paid__c: {
        type: 'double',
        rollUp: rollUp({ function: 'count', filter: "ISPICKVAL(State__c, 'Open')" }),
      },
      Largest__c: { type: 'currency', scale: 2, rollUp: rollUp({ function: 'max', field: 'Gross__c' }) },
    }
    const answer = await deploy(o, { ...OBJECTS, Bill__c: { ...OBJECTS.Bill__c, fields } })
    assert.equal(answer.status, 200, answer.text)
    await finishUpgrades(o)
    await assertValues(o, 'Bill__c', bill, { Paid__c: 1, Largest__c: 8.4 })
    for (const object of ['Bill__c', 'House__c']) {
      const checked = await o.call('POST', '/setup/orgs/current/recompute', { body: { object, check: true } })
      assert.deepEqual(checked.body.differing, [])
    }
    const restored = await deploy(o, OBJECTS, { allowDestructive: true })
    assert.equal(restored.status, 200, restored.text)
    await finishUpgrades(o)
  })
})

describe('A roll-up of standard objects', () => {
  const deals = (what: object) =>
    ({ object: 'Opportunity', reference: 'AccountId', ...what }) as RollUpDefinition
  const ACCOUNT: Objects = {
    Account: {
      fields: {
        Won__c: {
          type: 'currency',
          rollUp: deals({ function: 'sum', field: 'Amount', filter: 'IsWon' }),
        },
        Largest__c: {
          type: 'currency',
          rollUp: deals({ function: 'max', field: 'Amount', filter: 'IsWon' }),
        },
        Surest__c: { type: 'percent', rollUp: deals({ function: 'max', field: 'Probability' }) },
        Expected__c: { type: 'currency', rollUp: deals({ function: 'sum', field: 'ExpectedRevenue' }) },
      },
    },
  }
  const deal = (AccountId: string, more: object) =>
    o.create('Opportunity', {
      Name: 'Deal',
      CloseDate: '2026-12-01',
      StageName: 'Prospecting',
      AccountId,
      ...more,
    })

  test('follows what the platform derives, of records before it too, and is null where nothing counts', async () => {
    const before = await o.create('Account', { Name: 'Before' })
    await deal(before, { Amount: 10 })
    const empty = await o.create('Account', { Name: 'Empty' })
    const answer = await deploy(o, ACCOUNT, { mode: 'keep' })
    assert.equal(answer.status, 200, answer.text)
    await finishUpgrades(o)
    await assertValues(o, 'Account', before, { Won__c: 0, Largest__c: null, Surest__c: 10, Expected__c: 1 })
    await assertValues(o, 'Account', empty, { Won__c: 0, Largest__c: null, Surest__c: null, Expected__c: 0 })
    const account = await o.create('Account', { Name: 'After' })
    const opportunity = await deal(account, { Amount: 20 })
    await o.call('PATCH', `/sobjects/Opportunity/${opportunity}`, { body: { StageName: 'Closed Won' } })
    await assertValues(o, 'Account', account, { Won__c: 20, Largest__c: 20, Surest__c: 100, Expected__c: 20 })
    const body = { object: 'Account', check: true }
    const checked = await o.call('POST', '/setup/orgs/current/recompute', { body })
    assert.deepEqual(checked.body.differing, [])
  })
})

test('A sum that the field cannot hold refuses the detail, and tells no value', async () => {
  const SMALL: Objects = {
    Can__c: {
      fields: {
        Sum__c: {
          type: 'double',
          precision: 3,
          rollUp: { object: 'Drop__c', reference: 'Can__c', function: 'sum', field: 'Size__c' },
        },
      },
    },
    Drop__c: {
      fields: { Can__c: { type: 'reference', to: 'Can__c', masterDetail: 0 }, Size__c: { type: 'double' } },
    },
  }
  assert.equal((await deploy(o, SMALL, { mode: 'keep' })).status, 200)
  const can = await o.create('Can__c', { Name: 'Can' })
  await o.create('Drop__c', { Can__c: can, Size__c: 900 })
  const { status, body } = await o.call('POST', '/sobjects/Drop__c', { body: { Can__c: can, Size__c: 100 } })
  assert.equal(status, 400)
  assert.deepEqual(body, [
    {
      message: 'A roll-up of Can__c cannot hold the sum of its details',
      errorCode: 'NUMBER_OUTSIDE_VALID_RANGE',
      fields: [],
    },
  ])
  await assertValues(o, 'Can__c', can, { Sum__c: 900 })
})

describe('A roll-up is refused at its place', () => {
  test('along a reference to the object itself or a lookup', async () => {
    for (const [master, object, reference] of [
      ['Account', 'Account', 'ParentId'],
      ['Contact', 'Contact', 'ReportsToId'],
      ['Account', 'Contact', 'AccountId'],
      ['User', 'User', 'ManagerId'],
    ] as const) {
      const fields = {
        Wrong__c: { type: 'double', rollUp: { object, reference, function: 'count' } },
      } as const
      const refusals = await fetchRefusals(o, { [master]: { fields } }, { mode: 'keep' })
      assert.match(JSON.stringify(refusals), /not the master-detail/)
    }
  })

  test('when it follows what changes without a write of the detail', async () => {
    for (const [type, field] of [
      ['datetime', 'LastModifiedDate'],
      ['datetime', 'SystemModstamp'],
    ] as const) {
      const wrong = { type, rollUp: rollUp({ function: 'max', field }) }
      const fields = { ...OBJECTS.Bill__c!.fields, Wrong__c: wrong }
      const refusals = await fetchRefusals(o, { ...OBJECTS, Bill__c: { ...OBJECTS.Bill__c, fields } })
      assert.match(JSON.stringify(refusals), /changes without a write/)
    }
  })

  const wrong: readonly [string, object, RegExp][] = [
    [
      'when its details do not exist',
      { object: 'No__c', reference: 'Bill__c', function: 'count' },
      /no object No__c/,
    ],
    [
      'by a reference that is no master-detail',
      { object: 'Line__c', reference: 'OwnerId', function: 'count' },
      /not the master-detail/,
    ],
    ['when it counts a field', rollUp({ function: 'count', field: 'Net__c' }), /A count has no field/],
    ['without a field for a sum', rollUp({ function: 'sum' }), /Name the field/],
    ['of a field that is not there', rollUp({ function: 'sum', field: 'Nett__c' }), /no field Nett__c/],
    ['of a picklist', rollUp({ function: 'max', field: 'State__c' }), /no max of a picklist/],
    [
      'of another type than its field',
      rollUp({ function: 'max', field: 'Day__c' }),
      /of the type date, not currency/,
    ],
    [
      'with a filter that has an error',
      rollUp({ function: 'sum', field: 'Net__c', filter: 'Nett__c > 1' }),
      /Nett__c does not exist/,
    ],
    [
      'with a filter by the clock',
      rollUp({ function: 'sum', field: 'Net__c', filter: 'Day__c > TODAY()' }),
      /only use fields of the detail itself/,
    ],
    [
      'with a filter by another record',
      rollUp({ function: 'sum', field: 'Net__c', filter: 'Bill__r.Limit__c > 1' }),
      /only use fields of the detail itself/,
    ],
  ]
  for (const [title, what, message] of wrong)
    test(title, async () => {
      const wrongField = { type: 'currency' as const, rollUp: what as RollUpDefinition }
      const fields = { ...OBJECTS.Bill__c!.fields, Wrong__c: wrongField }
      const refusals = await fetchRefusals(o, { ...OBJECTS, Bill__c: { ...OBJECTS.Bill__c, fields } })
      assert.match(JSON.stringify(refusals), message)
      assert.match(JSON.stringify(refusals), /Wrong__c/)
    })

  test('when a field that it sums up goes', async () => {
    const { Net__c: _net, Gross__c: _gross, ...fields } = OBJECTS.Line__c!.fields!
    const refusals = await fetchRefusals(o, { ...OBJECTS, Line__c: { ...OBJECTS.Line__c, fields } })
    assert.match(JSON.stringify(refusals), /Gross__c/)
  })
})
