import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { DERIVED_VALUES } from '../../src/orgs/upgrades/derive-stored-values.ts'
import { requestStep } from '../../src/orgs/upgrades/step-store.ts'
import { fetchRecords } from '../support/ask.ts'
import { assertValues } from '../support/derived.ts'
import { findDiffering } from '../support/find-differing.ts'
import { finishUpgrades } from '../support/finish-upgrades.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPrices } from '../support/prices.ts'

/** The records as versions stored them that derived nothing. */
const forget = ({ db, org }: TestOrg, table: string, columns: readonly string[]) =>
  db.query(
    sql`update ${sql.id(org.schemaName, table)} set ${sql.join(columns.map((name) => sql`${sql.id(name)} = default`))}`,
  )

test('what earlier versions stored is derived by an upgrade, without a change of what clients may write', async () => {
  const o = await openOrg()
  const account = await o.create('Account', { Name: 'A' })
  const campaign = await o.create('Campaign', { Name: 'C' })
  const [{ Id: standard } = {}] = await fetchRecords(o, 'SELECT Id FROM Pricebook2 WHERE IsStandard = true')
  await o.call('PATCH', `/sobjects/Pricebook2/${standard}`, { body: { IsActive: true } })
  const product = await o.create('Product2', { Name: 'P', ProductCode: 'p' })
  const entry = await o.create('PricebookEntry', {
    Pricebook2Id: standard,
    Product2Id: product,
    UnitPrice: 3,
    IsActive: true,
  })
  const deal = { Name: 'D', CloseDate: '2026-05-10', StageName: 'Closed Won', CampaignId: campaign }
  const won = await o.create('Opportunity', { ...deal, Probability: 70, Amount: 10 })
  const sold = await o.create('Opportunity', deal)
  const line = await o.create('OpportunityLineItem', {
    OpportunityId: sold,
    PricebookEntryId: entry,
    Quantity: 2,
  })
  const closed = await o.create('Case', { Status: 'Closed' })
  const done = await o.create('Task', { Status: 'Completed', Priority: 'High', WhatId: account })
  const contract = await o.create('Contract', {
    AccountId: account,
    StartDate: '2026-01-01',
    ContractTerm: 1,
  })
  for (const [table, columns] of [
    [
      'opportunity',
      ['iswon', 'isclosed', 'forecastcategory', 'expectedrevenue', 'fiscalyear', 'hasopportunitylineitem'],
    ],
    ['opportunitylineitem', ['name', 'listprice', 'subtotal']],
    ['case', ['isclosed', 'closeddate']],
    ['task', ['isclosed', 'ishighpriority', 'accountid', 'completeddatetime']],
    ['contract', ['enddate']],
    ['campaign', ['numberofopportunities', 'numberofwonopportunities', 'amountallopportunities']],
  ] as const) {
    await forget(o, table, columns)
  }
  const [before] = await fetchRecords(o, `SELECT LastModifiedDate FROM Case WHERE Id = '${closed}'`)
  await requestStep(o.db, o.org, { ...DERIVED_VALUES, version: '0' })
  await requestStep(o.db, o.org, DERIVED_VALUES)
  await finishUpgrades(o)
  await assertValues(o, 'Opportunity', won, {
    IsWon: true,
    Probability: 70,
    ForecastCategory: 'Closed',
    ExpectedRevenue: 7,
    FiscalYear: 2026,
    Amount: 10,
  })
  await assertValues(o, 'Opportunity', sold, { HasOpportunityLineItem: true, Amount: 6, ExpectedRevenue: 6 })
  await assertValues(o, 'OpportunityLineItem', line, {
    Name: 'D P',
    ListPrice: 3,
    Subtotal: 6,
    TotalPrice: 6,
  })
  const { LastModifiedDate } = before!
  await assertValues(o, 'Case', closed, { IsClosed: true, ClosedDate: LastModifiedDate, LastModifiedDate })
  await assertValues(o, 'Task', done, { IsClosed: true, IsHighPriority: true, AccountId: account })
  await assertValues(o, 'Contract', contract, { EndDate: '2026-01-31', StatusCode: 'Draft' })
  await assertValues(o, 'Campaign', campaign, {
    NumberOfOpportunities: 2,
    NumberOfWonOpportunities: 2,
    AmountAllOpportunities: 16,
  })
  const [{ CompletedDateTime } = {}] = await fetchRecords(
    o,
    `SELECT CompletedDateTime FROM Task WHERE Id = '${done}'`,
  )
  assert.ok(CompletedDateTime)
})

test('what earlier versions did not sum up in other records is summed up by an upgrade, where it is empty', async () => {
  const o = await openOrg()
  const { entry, book } = await addPrices(o)
  const deal = { Name: 'D', CloseDate: '2026-05-10', StageName: 'Prospecting', Pricebook2Id: book }
  const plain = await o.create('Opportunity', deal)
  const quote = await o.create('Quote', { Name: 'Q', OpportunityId: plain, Tax: 2 })
  const empty = await o.create('Quote', { Name: 'R', OpportunityId: plain })
  const line = { QuoteId: quote, PricebookEntryId: entry, Quantity: 2, UnitPrice: 5 }
  await o.create('QuoteLineItem', line)
  const one = await o.create('Case', { Subject: 'S' })
  await o.create('Task', { WhatId: one, Status: 'Completed', ActivityDate: '2026-05-01' })
  for (const [table, columns] of [
    ['quote', ['subtotal', 'totalprice', 'lineitemcount', 'discount', 'grandtotal', 'accountid']],
    ['quotelineitem', ['subtotal', 'totalprice', 'listprice']],
    ['case', ['lastactivitydate']],
  ] as const) {
    await forget(o, table, columns)
  }
  await requestStep(o.db, o.org, { ...DERIVED_VALUES, version: '1' })
  await requestStep(o.db, o.org, DERIVED_VALUES)
  await finishUpgrades(o)
  await assertValues(o, 'Quote', quote, { Subtotal: 10, TotalPrice: 10, LineItemCount: 1, GrandTotal: 12 })
  await assertValues(o, 'Quote', empty, { Subtotal: 0, TotalPrice: 0, LineItemCount: 0, GrandTotal: 0 })
  await assertValues(o, 'Case', one, { LastActivityDate: '2026-05-01' })
  assert.deepEqual(await findDiffering(o), [])
})
