import assert from 'node:assert/strict'
import { fetchRecords } from './ask.ts'
import type { TestOrg } from './org.ts'
import { addPrices } from './prices.ts'

/** Of each object the fields of a record that is accepted, and the ids of those that there are. */
export interface Samples {
  readonly fields: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  readonly ids: ReadonlyMap<string, string[]>
}

/** Makes a record of each standard object whose records derive something or are what others derive from. */
export async function makeSamples(o: TestOrg): Promise<Samples> {
  const fields = new Map<string, Readonly<Record<string, unknown>>>()
  const ids = new Map<string, string[]>()
  const add = async (object: string, values: Readonly<Record<string, unknown>>): Promise<string> => {
    const id = await o.create(object, values)
    fields.set(object, values)
    ids.set(object, [...(ids.get(object) ?? []), id])
    return id
  }
  const { entry, book, product, standard } = await addPrices(o)
  ids.set('Product2', [product])
  ids.set('PricebookEntry', [entry])
  ids.set('Pricebook2', [book, standard])
  await add('Product2', { Name: 'Door', ProductCode: 'D', IsActive: true })
  const account = await add('Account', { Name: 'Acme' })
  await add('Account', { Name: 'Other' })
  const contact = await add('Contact', { LastName: 'Lee', AccountId: account })
  const lead = await add('Lead', { LastName: 'Kim', Company: 'Kim & Co' })
  const campaign = await add('Campaign', { Name: 'Fair' })
  await add('Campaign', { Name: 'Mailing' })
  const deal = {
    Name: 'Barn',
    StageName: 'Prospecting',
    CloseDate: '2026-05-10',
    AccountId: account,
    Pricebook2Id: book,
    CampaignId: campaign,
  }
  const opportunity = await add('Opportunity', deal)
  const line = { PricebookEntryId: entry, Quantity: 2, UnitPrice: 5 }
  await add('OpportunityLineItem', { ...line, OpportunityId: opportunity })
  await add('OpportunityContactRole', { OpportunityId: opportunity, ContactId: contact, IsPrimary: true })
  const quote = await add('Quote', { Name: 'Q', OpportunityId: opportunity })
  await add('QuoteLineItem', { ...line, QuoteId: quote })
  const contract = await add('Contract', { AccountId: account })
  const order = await add('Order', {
    AccountId: account,
    ContractId: contract,
    EffectiveDate: '2026-05-01',
    Status: 'Draft',
    Pricebook2Id: book,
  })
  await add('OrderItem', { ...line, OrderId: order })
  const kase = await add('Case', { Subject: 'S', ContactId: contact })
  await add('CaseComment', { ParentId: kase, CommentBody: 'C' })
  await add('Asset', { Name: 'A', AccountId: account })
  await add('Task', { Subject: 'T', WhoId: contact, WhatId: opportunity, ActivityDate: '2026-05-02' })
  await add('Event', {
    Subject: 'E',
    WhatId: account,
    StartDateTime: '2026-05-03T10:00:00Z',
    DurationInMinutes: 30,
  })
  await add('CampaignMember', { CampaignId: campaign, LeadId: lead })
  await add('CampaignMember', { CampaignId: campaign, ContactId: contact })
  const statuses = await fetchRecords(
    o,
    `SELECT Id FROM CampaignMemberStatus WHERE CampaignId = '${campaign}'`,
  )
  ids.set(
    'CampaignMemberStatus',
    statuses.map(({ Id }) => String(Id)),
  )
  await add('EmailMessage', { Subject: 'E', Status: '5', RelatedToId: account })
  await add('ContentVersion', { Title: 'F', PathOnClient: 'f.txt', VersionData: 'aGk=' })
  ids.set('User', [o.userId])
  return { fields, ids }
}

/** A field of an object's describe. */
export interface DescribedField {
  readonly name: string
  readonly type: string
  readonly createable: boolean
  readonly updateable: boolean
  readonly nillable: boolean
  readonly referenceTo: readonly string[]
  readonly picklistValues: readonly { readonly value: string }[]
}

/** The fields of an object as its describe has them. */
export async function describeFields(o: TestOrg, object: string): Promise<readonly DescribedField[]> {
  const { status, body, text } = await o.call('GET', `/sobjects/${object}/describe`)
  assert.equal(status, 200, text)
  return body.fields
}
