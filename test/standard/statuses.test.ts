import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertSteps, assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Values that follow from the status, the stage or the priority of a record, and the tables that say it. */

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-05-10' }
const INVALID_CONTRACT_STATUS =
  'Choose a valid contract status and save your changes. Ask your admin for details.'

const change = (o: TestOrg, object: string, id: string, body: object) =>
  o.call('PATCH', `/sobjects/${object}/${id}`, { body })

describe('a status table', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('lists the stages with what they mean, in order', async () => {
    const stages = await fetchRecords(
      o,
      `SELECT ApiName, DefaultProbability, IsClosed, IsWon, ForecastCategoryName FROM OpportunityStage
       WHERE IsActive = true AND DefaultProbability IN (0, 90, 100) ORDER BY SortOrder`,
    )
    assert.deepEqual(
      stages.map((stage) => Object.values(stage)),
      [
        ['Negotiation/Review', 90, false, false, 'Pipeline'],
        ['Closed Won', 100, true, true, 'Closed'],
        ['Closed Lost', 0, true, false, 'Omitted'],
      ],
    )
  })

  for (const [query, expected] of [
    ['CaseStatus WHERE IsClosed = true', ['Closed']],
    ['LeadStatus WHERE IsConverted = true LIMIT 1', ['Closed - Converted']],
    ['LeadStatus WHERE IsDefault = true', ['Open - Not Contacted']],
    ['TaskStatus WHERE IsClosed = true', ['Completed']],
    ['TaskPriority WHERE IsHighPriority = true', ['High']],
    ["ContractStatus WHERE StatusCode = 'Draft'", ['Draft']],
    ["OrderStatus WHERE StatusCode = 'Activated'", ['Activated']],
  ] as const) {
    test(`answers FROM ${query}`, async () => {
      const rows = await fetchRecords(o, `SELECT MasterLabel FROM ${query}`)
      assert.deepEqual(
        rows.map(({ MasterLabel }) => MasterLabel),
        expected,
      )
    })
  }

  test('changes with the values of its picklist, and so do the records that are written after it', async () => {
    const own = await openOrg()
    const values = [
      { value: 'Talk', probability: 15, forecastCategory: 'BestCase' },
      { value: 'Signed', closed: true, won: true, probability: 99, forecastCategory: 'Closed' },
      { value: 'Gone', inactive: true, closed: true },
      'Closed Lost',
    ]
    const deployed = await own.call('PUT', '/setup/orgs/current/schema', {
      body: { objects: { Opportunity: { fields: { StageName: { values } } } }, mode: 'keep' },
    })
    assert.equal(deployed.status, 200, deployed.text)
    const stages = await fetchRecords(
      own,
      'SELECT ApiName, IsActive, IsClosed, DefaultProbability FROM OpportunityStage ORDER BY SortOrder',
    )
    assert.deepEqual(
      stages.map((stage) => Object.values(stage)),
      [
        ['Talk', true, false, 15],
        ['Signed', true, true, 99],
        ['Gone', false, true, 0],
        // A value of the platform that says nothing keeps its meaning.
        ['Closed Lost', true, true, 0],
      ],
    )
    await assertSteps(own, 'Opportunity', [
      [
        { ...DEAL, StageName: 'talk' },
        {
          StageName: 'Talk',
          Probability: 15,
          ForecastCategoryName: 'Best Case',
          ForecastCategory: 'BestCase',
        },
      ],
      [{ StageName: 'Signed' }, { IsClosed: true, IsWon: true, Probability: 99 }],
    ])
    const kept = await own.call('GET', '/setup/orgs/current/schema')
    assert.deepEqual(kept.body.objects.Opportunity.fields.StageName.values.slice(0, 3), values.slice(0, 3))
  })

  test('is not written by clients', async () => {
    const { status } = await o.call('POST', '/sobjects/OpportunityStage', { body: { MasterLabel: 'x' } })
    assert.equal(status, 403)
  })
})

describe('an opportunity', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('is closed and won by its stage', async () => {
    await assertSteps(o, 'Opportunity', [
      [DEAL, { IsClosed: false, IsWon: false, Probability: 10, ForecastCategory: 'Pipeline' }],
      [
        { StageName: 'Closed Won' },
        {
          IsClosed: true,
          IsWon: true,
          Probability: 100,
          ForecastCategory: 'Closed',
          ForecastCategoryName: 'Closed',
        },
      ],
      [
        { StageName: 'Closed Lost' },
        { IsClosed: true, IsWon: false, Probability: 0, ForecastCategory: 'Omitted' },
      ],
      [{ StageName: 'Qualification' }, { IsClosed: false, IsWon: false, Probability: 10 }],
    ])
  })

  test('keeps a probability and a category that its write gives, until the stage changes', async () => {
    await assertSteps(o, 'Opportunity', [
      [
        { ...DEAL, StageName: 'Closed Won', Probability: 80 },
        { IsWon: true, Probability: 80 },
      ],
      [{ NextStep: 'Call' }, { Probability: 80 }],
      [
        { StageName: 'Closed Won', Amount: 10 },
        { Probability: 80, ExpectedRevenue: 8 },
      ],
      [
        { ForecastCategoryName: 'Commit' },
        { ForecastCategory: 'Forecast', ForecastCategoryName: 'Commit', Probability: 80 },
      ],
      [
        { StageName: 'Prospecting' },
        { Probability: 10, ForecastCategoryName: 'Pipeline', ExpectedRevenue: 1 },
      ],
      [
        { StageName: 'Qualification', Probability: 33, ForecastCategoryName: 'Best Case' },
        { Probability: 33, ForecastCategory: 'BestCase' },
      ],
    ])
  })

  test('expects its amount times its probability', async () => {
    await assertSteps(o, 'Opportunity', [
      [DEAL, { ExpectedRevenue: null }],
      [{ Amount: 1234.56 }, { ExpectedRevenue: 123.46 }],
      [{ Probability: 50 }, { ExpectedRevenue: 617.28 }],
      [{ Amount: null }, { ExpectedRevenue: null }],
    ])
  })

  test('is in the fiscal period of its close date', async () => {
    await assertSteps(o, 'Opportunity', [
      [DEAL, { FiscalYear: 2026, FiscalQuarter: 2, Fiscal: '2026 2' }],
      [{ CloseDate: '2027-01-01' }, { FiscalYear: 2027, FiscalQuarter: 1, Fiscal: '2027 1' }],
    ])
    const own = await openOrg()
    const [{ Id } = {}] = await fetchRecords(own, 'SELECT Id FROM Organization')
    assert.equal((await change(own, 'Organization', String(Id), { FiscalYearStartMonth: 4 })).status, 204)
    await assertSteps(own, 'Opportunity', [
      [DEAL, { FiscalYear: 2027, FiscalQuarter: 1 }],
      [{ CloseDate: '2026-03-31' }, { FiscalYear: 2026, FiscalQuarter: 4 }],
    ])
  })

  test('of an unknown stage is open', async () => {
    await assertSteps(o, 'Opportunity', [
      [
        { ...DEAL, StageName: 'Somewhere' },
        { IsClosed: false, IsWon: false, Probability: 0, ForecastCategoryName: 'Pipeline' },
      ],
    ])
  })

  test('derives the same in collections, composites, trees and upserts', async () => {
    const won = { ...DEAL, StageName: 'Closed Won' }
    const record = { attributes: { type: 'Opportunity' }, ...won }
    const { body: listed } = await o.call('POST', '/composite/sobjects', {
      body: { records: [record, { ...record, StageName: 'Prospecting' }] },
    })
    const [first, second] = listed.map(({ id }: { id: string }) => id)
    await assertValues(o, 'Opportunity', first, { IsWon: true, Probability: 100 })
    await assertValues(o, 'Opportunity', second, { IsWon: false, Probability: 10 })
    await o.call('PATCH', '/composite/sobjects', {
      body: {
        records: [
          { attributes: { type: 'Opportunity' }, id: first, StageName: 'Closed Lost' },
          { attributes: { type: 'Opportunity' }, id: second, StageName: 'Closed Won', Probability: 70 },
        ],
      },
    })
    await assertValues(o, 'Opportunity', first, { IsWon: false, IsClosed: true, Probability: 0 })
    await assertValues(o, 'Opportunity', second, { IsWon: true, Probability: 70 })
    const { body: tree } = await o.call('POST', '/composite/tree/Opportunity', {
      body: { records: [{ attributes: { type: 'Opportunity', referenceId: 'a' }, ...won }] },
    })
    await assertValues(o, 'Opportunity', tree.results[0].id, { IsWon: true })
    const { body: created } = await o.call('PATCH', `/sobjects/Opportunity/Id/${second}`, {
      body: { StageName: 'Prospecting' },
    })
    assert.equal(created?.errors?.length ?? 0, 0)
    await assertValues(o, 'Opportunity', second, { IsWon: false, Probability: 10 })
  })

  test('does not take what is derived from a client', async () => {
    const answer = await o.call('POST', '/sobjects/Opportunity', { body: { ...DEAL, IsWon: true } })
    assertRefused(answer, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /IsWon/, ['IsWon'])
  })
})

describe('a case', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg({ settings: { allowFaults: 'true' } })
  })

  test('remembers when it was closed, and forgets it when it is opened', async () => {
    const id = await assertSteps(o, 'Case', [
      [{ Subject: 'x' }, { IsClosed: false, ClosedDate: null, IsClosedOnCreate: false }],
      [{ Status: 'Closed' }, { IsClosed: true, IsClosedOnCreate: false }],
    ])
    const [closed] = await fetchRecords(o, `SELECT ClosedDate, LastModifiedDate FROM Case WHERE Id = '${id}'`)
    assert.ok(closed!.ClosedDate)
    await change(o, 'Case', id, { Status: 'Closed', Subject: 'y' })
    await assertValues(o, 'Case', id, { ClosedDate: closed!.ClosedDate })
    await change(o, 'Case', id, { Status: 'Working' })
    await assertValues(o, 'Case', id, { IsClosed: false, ClosedDate: null })
  })

  test('may be closed from the start', async () => {
    await assertSteps(o, 'Case', [[{ Status: 'Closed' }, { IsClosed: true, IsClosedOnCreate: true }]])
  })

  test('is of the account of its contact, unless it says another', async () => {
    const account = await o.create('Account', { Name: 'A' })
    const other = await o.create('Account', { Name: 'B' })
    const contact = await o.create('Contact', { LastName: 'C', AccountId: account })
    await assertSteps(o, 'Case', [
      [{ ContactId: contact }, { AccountId: account }],
      [{ AccountId: other }, { AccountId: other }],
      [{ ContactId: null }, { AccountId: other }],
    ])
    await assertSteps(o, 'Case', [[{ ContactId: contact, AccountId: other }, { AccountId: other }]])
  })
})

describe('a task', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('is closed by its status and of high priority by its priority', async () => {
    await assertSteps(o, 'Task', [
      [{ Subject: 'x' }, { IsClosed: false, IsHighPriority: false, CompletedDateTime: null }],
      [{ Priority: 'High' }, { IsHighPriority: true }],
      [{ Status: 'Completed' }, { IsClosed: true, IsHighPriority: true }],
      [{ Status: 'Deferred' }, { IsClosed: false, CompletedDateTime: null }],
    ])
  })

  test('is of the account of what it is about, else of its person', async () => {
    const account = await o.create('Account', { Name: 'A' })
    const other = await o.create('Account', { Name: 'B' })
    const deal = await o.create('Opportunity', { ...DEAL, AccountId: account })
    const contact = await o.create('Contact', { LastName: 'C', AccountId: other })
    const lead = await o.create('Lead', { LastName: 'L', Company: 'C' })
    await assertSteps(o, 'Task', [
      [{ WhatId: account }, { AccountId: account }],
      [{ WhatId: deal, WhoId: contact }, { AccountId: account }],
      [{ WhatId: null }, { AccountId: other }],
      [{ WhoId: lead }, { AccountId: null }],
    ])
  })
})

describe('a contract', () => {
  let o: TestOrg
  let account: string
  before(async () => {
    o = await openOrg()
    account = await o.create('Account', { Name: 'A' })
  })

  test('ends a day before its term is over', async () => {
    await assertSteps(o, 'Contract', [
      [{ AccountId: account }, { EndDate: null, Status: 'Draft', StatusCode: 'Draft' }],
      [{ StartDate: '2026-01-01', ContractTerm: 12 }, { EndDate: '2026-12-31' }],
      [{ StartDate: '2026-01-31', ContractTerm: 1 }, { EndDate: '2026-02-27' }],
      [{ ContractTerm: null }, { EndDate: null }],
    ])
  })

  test('is activated once, by whom and when it says', async () => {
    const id = await assertSteps(o, 'Contract', [
      [{ AccountId: account }, { ActivatedDate: null, ActivatedById: null }],
      [{ Status: 'Activated' }, { StatusCode: 'Activated', ActivatedById: o.userId }],
    ])
    const [{ ActivatedDate } = {}] = await fetchRecords(
      o,
      `SELECT ActivatedDate FROM Contract WHERE Id = '${id}'`,
    )
    assert.ok(ActivatedDate)
    assert.equal((await change(o, 'Contract', id, { Status: 'Activated' })).status, 204)
    await assertValues(o, 'Contract', id, { ActivatedDate })
    const left = await change(o, 'Contract', id, { Status: 'Draft' })
    assertRefused(left, 400, 'FAILED_ACTIVATION', INVALID_CONTRACT_STATUS, ['Status'])
    const kept = await o.call('DELETE', `/sobjects/Contract/${id}`)
    assertRefused(kept, 400, 'DELETE_FAILED', 'unable to modify activated contract')
  })

  test('is created as a draft', async () => {
    const answer = await o.call('POST', '/sobjects/Contract', {
      body: { AccountId: account, Status: 'Activated' },
    })
    assertRefused(answer, 400, 'FAILED_ACTIVATION', INVALID_CONTRACT_STATUS, ['Status'])
    const unknown = await o.call('POST', '/sobjects/Contract', {
      body: { AccountId: account, Status: 'Sent' },
    })
    assertRefused(unknown, 400, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', /restricted picklist.*Sent/, [
      'Status',
    ])
  })
})

test('a refused record of a list does not change what is derived for the others', async () => {
  const o = await openOrg()
  const account = await o.create('Account', { Name: 'A' })
  const contract = (fields: object) => ({ attributes: { type: 'Contract' }, AccountId: account, ...fields })
  const { body } = await o.call('POST', '/composite/sobjects', {
    body: {
      records: [
        contract({ StartDate: '2026-01-01', ContractTerm: 1 }),
        contract({ Status: 'Activated' }),
        contract({ StartDate: '2026-02-01', ContractTerm: 2 }),
      ],
    },
  })
  assert.deepEqual(
    body.map(({ success }: { success: boolean }) => success),
    [true, false, true],
  )
  await assertValues(o, 'Contract', body[2].id, { EndDate: '2026-03-31', StatusCode: 'Draft' })
  assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'A'"), ['A'])
})

test('a bounced address is forgotten with the address', async () => {
  const o = await openOrg()
  await assertSteps(o, 'Contact', [
    [{ LastName: 'C', Email: 'a@example.com' }, { IsEmailBounced: false }],
    [{ EmailBouncedDate: '2026-01-01T00:00:00Z', EmailBouncedReason: 'full' }, { IsEmailBounced: true }],
    [{ Email: 'b@example.com' }, { IsEmailBounced: false, EmailBouncedDate: null, EmailBouncedReason: null }],
  ])
})
