import type { FiscalYear } from '../../base/fiscal-year.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { PicklistValue } from '../../schema/fields/field-definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import { getText, integrityError, type ObjectBehaviour } from '../behaviour/behaviour.ts'
import type { DerivedRecord } from '../behaviour/derived-record.ts'
import { derivedFrom, LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { FORECAST_CATEGORIES, LEAD_SOURCE_VALUES } from '../values/short-picklists.ts'
import { roundCents } from './line-prices.ts'
import { lastChangeOf, OPPORTUNITY_STATES } from './opportunity-history.ts'
import { foreignQuote, refuseForeignQuotes, startSync } from './quote-sync.ts'

/** The fiscal quarter that a day is in. */
interface FiscalPeriod {
  readonly year: number
  /** 1 to 4. */
  readonly quarter: number
}

/** @param day `2026-11-20` */
function getFiscalPeriod(day: string, { startMonth, isNamedByStart }: FiscalYear): FiscalPeriod {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const passed = (month - startMonth + 12) % 12
  // The calendar year in which it starts, and the one in which it ends.
  const first = month >= startMonth ? year : year - 1
  const last = startMonth > 1 ? first + 1 : first
  return { year: isNamedByStart ? first : last, quarter: Math.floor(passed / 3) + 1 }
}

/** A stage at which an opportunity is open. */
const open = (value: string, probability: number): PicklistValue => ({
  value,
  probability,
  forecastCategory: 'Pipeline',
})

export const OPPORTUNITY: ObjectDefinition = {
  name: 'Opportunity',
  label: 'Opportunity',
  labelPlural: 'Opportunities',
  keyPrefix: '006',
  searchable: 'indexed',
  fields: [
    {
      name: 'AccountId',
      label: 'Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account',
      children: 'Opportunities',
      onDelete: 'cascade',
    },
    recordTypeId,
    { name: 'IsPrivate', label: 'Private', type: 'boolean' },
    { name: 'Name', label: 'Name', type: 'string', length: 120, required: true, nameField: true },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 32000 },
    {
      name: 'StageName',
      label: 'Stage',
      type: 'picklist',
      length: 255,
      required: true,
      values: [
        open('Prospecting', 10),
        open('Qualification', 10),
        open('Needs Analysis', 20),
        open('Value Proposition', 50),
        open('Id. Decision Makers', 60),
        open('Perception Analysis', 70),
        open('Proposal/Price Quote', 75),
        open('Negotiation/Review', 90),
        { value: 'Closed Won', closed: true, won: true, probability: 100, forecastCategory: 'Closed' },
        { value: 'Closed Lost', closed: true, probability: 0, forecastCategory: 'Omitted' },
      ],
    },
    { name: 'Amount', label: 'Amount', type: 'currency', precision: 18, scale: 2 },
    { name: 'Probability', label: 'Probability (%)', type: 'percent', precision: 3, scale: 0 },
    {
      name: 'ExpectedRevenue',
      label: 'Expected Amount',
      type: 'currency',
      precision: 18,
      scale: 2,
      grantable: true,
      ...derivedFrom('Amount', 'Probability'),
    },
    { name: 'TotalOpportunityQuantity', label: 'Quantity', type: 'double', precision: 18, scale: 2 },
    { name: 'CloseDate', label: 'Close Date', type: 'date', required: true },
    {
      name: 'Type',
      label: 'Opportunity Type',
      type: 'picklist',
      length: 255,
      values: [
        'Existing Customer - Upgrade',
        'Existing Customer - Replacement',
        'Existing Customer - Downgrade',
        'New Customer',
      ],
    },
    { name: 'NextStep', label: 'Next Step', type: 'string', length: 255 },
    { name: 'LeadSource', label: 'Lead Source', type: 'picklist', length: 255, values: LEAD_SOURCE_VALUES },
    { name: 'IsClosed', label: 'Closed', type: 'boolean', ...notWritable },
    { name: 'IsWon', label: 'Won', type: 'boolean', ...notWritable },
    {
      name: 'ForecastCategory',
      label: 'Forecast Category',
      type: 'picklist',
      length: 40,
      values: [...FORECAST_CATEGORIES].map(([value, label]) => (value === label ? value : { value, label })),
      restricted: true,
      // Never without one: it follows from the stage where nobody names another one.
      required: true,
      ...derivedFrom('ForecastCategoryName'),
    },
    {
      name: 'ForecastCategoryName',
      label: 'Forecast Category',
      type: 'picklist',
      length: 255,
      values: [...FORECAST_CATEGORIES.values()],
      restricted: true,
    },
    {
      name: 'CampaignId',
      label: 'Campaign ID',
      type: 'reference',
      to: ['Campaign'],
      relationship: 'Campaign',
      children: 'Opportunities',
    },
    { name: 'HasOpportunityLineItem', label: 'Has Line Item', type: 'boolean', ...notWritable },
    {
      name: 'Pricebook2Id',
      label: 'Price Book ID',
      type: 'reference',
      to: ['Pricebook2'],
      relationship: 'Pricebook2',
      children: 'Opportunities',
    },
    {
      name: 'ContactId',
      label: 'Contact ID',
      type: 'reference',
      to: ['Contact'],
      children: 'Opportunities',
      updateable: false,
    },
    { name: 'LastActivityDate', label: 'Last Activity', type: 'date', ...notWritable },
    {
      name: 'HasOpenActivity',
      label: 'Has Open Activity',
      type: 'boolean',
      shows: 'openActivity',
      comparable: false,
      ...notWritable,
    },
    {
      name: 'HasOverdueTask',
      label: 'Has Overdue Task',
      type: 'boolean',
      shows: 'overdueTask',
      comparable: false,
      ...notWritable,
    },
    { name: 'LastStageChangeDate', label: 'Last Stage Change Date', type: 'datetime', ...notWritable },
    lastChangeOf('LastAmountChangedHistoryId', 'Opportunity History ID', 'Amount'),
    lastChangeOf('LastCloseDateChangedHistoryId', 'Opportunity History ID', 'CloseDate'),
    { name: 'PushCount', label: 'Push Count', type: 'int', default: 0, ...notWritable },
    { name: 'FiscalQuarter', label: 'Fiscal Quarter', type: 'int', ...notWritable },
    { name: 'FiscalYear', label: 'Fiscal Year', type: 'int', ...notWritable },
    { name: 'Fiscal', label: 'Fiscal Period', type: 'string', length: 6, ...notWritable },
    ...LAST_USE,
    {
      name: 'ContractId',
      label: 'Contract ID',
      type: 'reference',
      to: ['Contract'],
      relationship: 'Contract',
      children: 'Opportunities',
    },
    {
      name: 'SyncedQuoteId',
      label: 'Quote ID',
      type: 'reference',
      to: ['Quote'],
      relationship: 'SyncedQuote',
    },
  ],
}

/** Values that follow from a new stage, unless the write gives them; null keeps those of the current stage. */
function deriveStage(record: DerivedRecord): void {
  const { probability = 0, forecastCategory = 'Pipeline' } = record.listed('StageName')?.status ?? {}
  const isOpen = (name: string) =>
    record.get(name) === null || (record.isChanged('StageName') && record.isOpen(name))
  if (isOpen('Probability')) record.set('Probability', probability)
  if (isOpen('ForecastCategoryName'))
    record.set('ForecastCategoryName', FORECAST_CATEGORIES.get(forecastCategory) ?? null)
}

/** Sums of the lines are read-only: a value that clients give is ignored. */
function keepTotals(record: DerivedRecord): void {
  const isOfLines = record.isGiven('HasOpportunityLineItem')
  if (record.isNew || isOfLines || record.get('HasOpportunityLineItem') !== true) return
  for (const name of ['Amount', 'TotalOpportunityQuantity'])
    if (record.isGiven(name)) record.set(name, record.was(name))
  if (record.isChanged('Pricebook2Id')) {
    throw integrityError('The price book of an opportunity with products cannot be changed', 'Pricebook2Id')
  }
}

/** A deployment may let opportunities be without a date. */
function deriveFiscalPeriod(record: DerivedRecord): void {
  const day = record.get('CloseDate') as string | null
  const period = day === null ? undefined : getFiscalPeriod(day, record.facts.fiscalYear)
  record.set('FiscalYear', period?.year ?? null)
  record.set('FiscalQuarter', period?.quarter ?? null)
  record.set('Fiscal', period === undefined ? null : `${period.year} ${period.quarter}`)
}

const monthOf = (day: unknown) => (typeof day === 'string' ? day.slice(0, 7) : undefined)

/** When it came to its stage, and how often its end was put off to a later month. */
function deriveMoves(record: DerivedRecord): void {
  if (record.isNew || record.facts.isRecomputed) return
  if (record.isChanged('StageName')) record.set('LastStageChangeDate', record.facts.now)
  const [was, is] = [monthOf(record.was('CloseDate')), monthOf(record.get('CloseDate'))]
  if (was !== undefined && is !== undefined && is > was)
    record.set('PushCount', Number(record.get('PushCount') ?? 0) + 1)
}

/** (docs/reference/api/standard-objects.md#opportunity) */
export const OPPORTUNITY_BEHAVIOUR: ObjectBehaviour = {
  completeInsert(values, object) {
    if (getText(object, values, 'SyncedQuoteId') !== undefined) throw foreignQuote()
  },
  refuseChange: refuseForeignQuotes,
  hooksFor: ['ContactId', 'SyncedQuoteId'],
  afterChange: startSync,
  afterInsert: async ({ object, insert }, records) => {
    const contact = object.field('ContactId')!
    const named = records.filter(({ values }) => (values.get(contact) ?? null) !== null)
    if (named.length === 0) return
    await insert(
      'OpportunityContactRole',
      named.map(({ id, values }) => ({
        OpportunityId: id,
        ContactId: values.get(contact) ?? null,
        IsPrimary: true,
      })),
    )
  },
  states: OPPORTUNITY_STATES,
  derivation: {
    reads: ['PushCount', 'Name', 'AccountId'],
    from: [
      'StageName',
      'Probability',
      'ForecastCategoryName',
      'Amount',
      'CloseDate',
      'TotalOpportunityQuantity',
      'HasOpportunityLineItem',
      'Pricebook2Id',
    ],
    derive(record) {
      keepTotals(record)
      const { closed = false, won = false } = record.listed('StageName')?.status ?? {}
      record.set('IsClosed', closed)
      record.set('IsWon', won)
      deriveStage(record)
      const category = record.get('ForecastCategoryName')
      const code = [...FORECAST_CATEGORIES].find(([, name]) => name === category)?.[0]
      record.set('ForecastCategory', code ?? null)
      const amount = record.get('Amount') as number | null
      const probability = Number(record.get('Probability') ?? 0)
      record.set('ExpectedRevenue', amount === null ? null : roundCents((amount * probability) / 100))
      deriveFiscalPeriod(record)
      deriveMoves(record)
    },
  },
  effects: [
    {
      reference: 'CampaignId',
      parent: 'Campaign',
      // A synced quote brings its lines along.
      from: ['Amount', 'StageName', 'SyncedQuoteId'],
      sets: {
        NumberOfOpportunities: { function: 'count' },
        NumberOfWonOpportunities: { function: 'count', where: 'IsWon' },
        AmountAllOpportunities: { function: 'sum', of: 'Amount' },
        AmountWonOpportunities: { function: 'sum', of: 'Amount', where: 'IsWon' },
      },
      kind: 'quiet',
    },
  ],
}
