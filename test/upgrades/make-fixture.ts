import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { readProductVersion } from '../../src/base/package-root.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { credentialsIn, fetchToken, startServer } from '../support/server-process.ts'
import { DEPLOYMENT, FIXTURES } from './fixtures.ts'

/*
 * `npm exec -- node test/upgrades/make-fixture.ts `: keeps what a server of this version leaves in its database, filled, for the tests of later
 * versions. It takes a PostgreSQL server at TEST_DATABASE_URL and the program pg_dump. `--checkout` names another checkout to take
 * the server from, `--name` the fixture; default the version.
 */

const { values } = parseArgs({
  options: {
    checkout: { type: 'string', default: join(import.meta.dirname, '../..') },
    name: { type: 'string', default: readProductVersion() },
  },
})

const database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'fixture')
const server = await startServer(
  { DATABASE_URL: database.url, OBJECTRY_DEPLOYMENT: DEPLOYMENT },
  [],
  [],
  join(values.checkout, 'src/cli/objectry.ts'),
)
const client = credentialsIn(server.greeting)!
const token = await fetchToken(server.address, client)

// biome-ignore lint/suspicious/noExplicitAny: bodies of every format
async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(server.address + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

const create = async (object: string, fields: object): Promise<string> =>
  (await call('POST', `/services/data/v64.0/sobjects/${object}`, fields)).id

/** A record of each, with what the platform derives of others. */
async function fill(): Promise<void> {
  const account = await create('Account', { Name: 'Acme', Phone: '123', Tier__c: 'Gold' })
  const contact = await create('Contact', { FirstName: 'Ada', LastName: 'King', AccountId: account })
  const lead = await create('Lead', {
    LastName: 'Lovelace',
    Company: 'Engines',
    Status: 'Open - Not Contacted',
  })
  const campaign = await create('Campaign', { Name: 'Spring' })
  await create('CampaignMember', { CampaignId: campaign, LeadId: lead })
  const product = await create('Product2', { Name: 'Engine', IsActive: true })
  const found = await call('GET', '/services/data/v64.0/query?q=SELECT+Id+FROM+Pricebook2')
  const pricebook = found.records[0].Id
  const entry = await create('PricebookEntry', {
    Pricebook2Id: pricebook,
    Product2Id: product,
    UnitPrice: 10,
    IsActive: true,
  })
  const opportunity = await create('Opportunity', {
    Name: 'Deal',
    AccountId: account,
    StageName: 'Prospecting',
    CloseDate: '2030-01-31',
    Pricebook2Id: pricebook,
    CampaignId: campaign,
  })
  await create('OpportunityLineItem', {
    OpportunityId: opportunity,
    PricebookEntryId: entry,
    Quantity: 3,
    UnitPrice: 10,
  })
  await create('Contract', { AccountId: account, StartDate: '2026-01-01', ContractTerm: 12, Status: 'Draft' })
  const order = await create('Order', {
    AccountId: account,
    EffectiveDate: '2026-01-01',
    Status: 'Draft',
    Pricebook2Id: pricebook,
  })
  await create('OrderItem', { OrderId: order, PricebookEntryId: entry, Quantity: 2, UnitPrice: 10 })
  await create('Asset', { Name: 'Engine 1', AccountId: account })
  const issue = await create('Case', { Subject: 'It smokes', AccountId: account, ContactId: contact })
  await create('CaseComment', { ParentId: issue, CommentBody: 'It does' })
  await create('EmailMessage', {
    ParentId: issue,
    Subject: 'Smoke',
    TextBody: 'See',
    Status: '5',
  })
  await create('Attachment', { ParentId: account, Name: 'a.txt', Body: 'YQ==' })
  await create('Task', { Subject: 'Call', WhatId: opportunity, Status: 'Not Started', Priority: 'Normal' })
  await create('Event', {
    Subject: 'Meet',
    WhatId: account,
    StartDateTime: '2026-01-01T10:00:00Z',
    DurationInMinutes: 30,
  })
  await create('Note', { ParentId: account, Title: 'A note', Body: 'text' })
  await create('ContentVersion', { Title: 'A file', PathOnClient: 'a.txt', VersionData: 'YQ==' })
  await create('Trip__c', { Name: 'North', Account__c: account, Days__c: 2, Secret__c: 'hidden' })
  const gone = await create('Account', { Name: 'Binned' })
  await call('DELETE', `/services/data/v64.0/sobjects/Account/${gone}`)
}

try {
  await fill()
  await call('PUT', '/setup/orgs/current/snapshots/start')
  await create('Account', { Name: 'After the snapshot' })
  await server.end('SIGTERM')
  // Without psql's own commands, which the embedded engine does not know.
  const dump = execFileSync(
    'pg_dump',
    ['--inserts', '--rows-per-insert=200', '--no-owner', '--no-privileges', database.url],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    },
  ).replaceAll(/^\\.*$/gm, '')
  const at = join(FIXTURES, values.name)
  rmSync(`${at}.sql.gz`, { force: true })
  writeFileSync(`${at}.sql.gz`, gzipSync(dump, { level: 9 }))
  writeFileSync(`${at}.json`, `${JSON.stringify(client, null, 2)}\n`)
} finally {
  await server.end('SIGKILL')
  await database.drop()
}
