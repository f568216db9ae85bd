import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import { openOrg, type TestOrg } from './org.ts'
import { setCalendar } from './write-rows.sql.ts'

/** A sale, which may be part of another one. */
export const SALE: ObjectDefinition = {
  name: 'Sale__c',
  label: 'Sale',
  labelPlural: 'Sales',
  keyPrefix: '',
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
    {
      name: 'Stage__c',
      label: 'Stage',
      type: 'picklist',
      length: 40,
      values: [{ value: 'won', label: 'Closed Won' }, 'open', 'lost'],
    },
    { name: 'Amount__c', label: 'Amount', type: 'currency', precision: 18, scale: 2 },
    { name: 'Units__c', label: 'Units', type: 'int' },
    { name: 'Closed__c', label: 'Closed', type: 'date' },
    { name: 'Signed__c', label: 'Signed', type: 'datetime' },
    { name: 'Big__c', label: 'Big', type: 'boolean' },
    {
      name: 'Account__c',
      label: 'Account',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account__r',
      children: 'Sales__r',
    },
    {
      name: 'Part_Of__c',
      label: 'Part of',
      type: 'reference',
      to: ['Sale__c'],
      relationship: 'Part_Of__r',
      children: 'Parts__r',
    },
  ],
}

/** An org in Tokyo, whose fiscal year starts in April, with five sales to two accounts. */
export async function openSales(): Promise<{ readonly o: TestOrg; readonly acme: string }> {
  const o = await openOrg()
  await setCalendar(o, 'Asia/Tokyo', { startMonth: 4, isNamedByStart: false })
  await o.deploy([SALE])
  const acme = await o.create('Account', {
    Name: 'Acme',
    Industry: 'Energy',
    AnnualRevenue: 5000,
    BillingLatitude: 59.5,
  })
  const beta = await o.create('Account', {
    Name: 'beta',
    Industry: 'Banking',
    AnnualRevenue: 70,
    BillingLatitude: -10,
  })
  const sell = (fields: object) => o.create('Sale__c', { Name: 'x', ...fields })
  const first = await sell({
    Stage__c: 'won',
    Amount__c: 1000.5,
    Units__c: 3,
    Account__c: acme,
    Big__c: true,
  })
  await sell({ Stage__c: 'won', Amount__c: 20, Units__c: 1, Account__c: beta, Part_Of__c: first })
  await sell({ Stage__c: 'lost', Amount__c: 300, Units__c: 3, Account__c: acme, Closed__c: '2026-03-31' })
  await sell({
    Stage__c: 'open',
    Closed__c: '2026-04-01',
    Signed__c: '2026-12-31T23:30:00Z',
    Account__c: beta,
  })
  await sell({ Amount__c: 0, Signed__c: '2025-01-01T00:00:00Z', Closed__c: '2025-12-01', Name: 'Y' })
  return { o, acme }
}
