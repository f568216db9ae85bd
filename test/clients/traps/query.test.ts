import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeAccounts, writeAccounts } from '../../support/account-rows.sql.ts'
import { queryPath } from '../../support/ask.ts'
import { writeContacts } from '../../support/contact-rows.sql.ts'
import type { Answer } from '../../support/org.ts'
import { openTrapsClient, type TrapsClient } from '../../support/traps-client.ts'
import type { WireClient } from '../../support/wire-clients.ts'

/* How clients page through results and read them. */

const TOTAL = 450
const CHILDREN = 1100
const SMALL = { 'Sforce-Query-Options': 'batchSize=200' }
const TEXT = "SELECT Name FROM Account WHERE Name LIKE 'account %' ORDER BY Name"

let as: TrapsClient['as']
let o: TrapsClient['o']
let conn: TrapsClient['conn']
let calls: TrapsClient['calls']
let close: TrapsClient['close']

before(async () => {
  ;({ as, o, conn, calls, close } = await openTrapsClient())
  await writeAccounts(o, makeAccounts(TOTAL))
  // In the recycle bin, as queryAll sees it.
  await writeAccounts(
    o,
    makeAccounts(TOTAL).map((row, n) => ({ ...row, isDeleted: n < 10 })),
  )
  await writeContacts(o, await o.create('Account', { Name: 'Parent' }), CHILDREN)
})
after(() => close())

const names = (records: readonly { Name?: string }[]) => records.map(({ Name }) => Name)
const all = makeAccounts(TOTAL).map(({ name }) => name)

/** The names of all pages. @param next the path of the next page, as the client makes it of nextRecordsUrl */
async function walk(client: WireClient, resource: string, next: (url: string) => string) {
  const found: unknown[] = []
  const pages: number[] = []
  let page: Answer = await client.get(queryPath(TEXT).replace('/query', resource), SMALL)
  for (;;) {
    assert.equal(page.status, 200, page.text)
    found.push(...names(page.body.records))
    pages.push(page.body.records.length)
    if (page.body.done) return { found, pages }
    page = await client.get(next(page.body.nextRecordsUrl), SMALL)
  }
}

const lastSegment = (url: string) => url.split('/').at(-1)!

// 10
for (const [title, name, resource, next] of [
  ['n8n: the last segment of nextRecordsUrl', 'n8n', '/query', (url) => `/query/${lastSegment(url)}`],
  [
    'n8n: the last segment of the nextRecordsUrl of queryAll, below query,',
    'n8n',
    '/queryAll',
    (url) => `/query/${lastSegment(url)}`,
  ],
  [
    'go-salesforce: nextRecordsUrl without its version',
    'goSalesforce',
    '/query',
    (url) => url.replace(/^\/services\/data\/v63\.0/, ''),
  ],
  ['restforce, tap-salesforce: nextRecordsUrl as it is', 'restforce', '/queryAll', (url) => url],
  [
    'django-salesforce: a locator that is an id and an offset',
    'djangoSalesforce',
    '/query/',
    (url) => {
      const [, id, offset] = /^([0-9A-Za-z]{15,18})-(\d+)$/.exec(lastSegment(url))!
      return `/query/${id}-${offset}`
    },
  ],
] as const satisfies readonly (readonly [string, string, string, (url: string) => string])[]) {
  test(`${title} leads to the next page`, async () => {
    const { found, pages } = await walk(as(name), resource, next)
    if (resource === '/queryAll') {
      assert.deepEqual(pages, [200, 200, 50])
      assert.deepEqual(found, all)
    } else {
      assert.deepEqual(pages, [200, 200, 40])
      assert.deepEqual(found, all.slice(10))
    }
  })
}

// 10
test('jsforce: pages of queryAll are fetched below query, and have what was deleted', async () => {
  calls.length = 0
  const options = { scanAll: true, autoFetch: true, maxFetch: 1000, headers: SMALL }
  const { records, totalSize } = await conn.query<{ Name: string }>(TEXT, options)
  assert.equal(totalSize, TOTAL)
  assert.deepEqual(names(records), all)
  assert.deepEqual(
    calls.map(({ url }) => url.replace('/services/data/v64.0', '').split(/[?/]/)[1]),
    ['queryAll', 'query', 'query'],
  )
})

// 10
test('jsforce: more children than a page has follow by the nextRecordsUrl of the children', async () => {
  const text =
    "SELECT Name, (SELECT LastName FROM Contacts ORDER BY LastName) FROM Account WHERE Name = 'Parent'"
  const { records } = await conn.query(text, { autoFetch: true, maxFetch: 10_000 })
  const { records: children } = records[0]!.Contacts as { records: { LastName: string }[] }
  assert.deepEqual(
    children.map(({ LastName }) => LastName),
    Array.from({ length: CHILDREN }, (_, n) => `contact ${String(n + 1).padStart(4, '0')}`),
  )
})

// 19
test('django-salesforce: a query that is too long for an address travels as a step of a composite', async () => {
  const client = as('djangoSalesforce')
  const wanted = all.slice(0, 20).map((name) => `'${name}'`)
  const others = Array.from({ length: 3000 }, (_, n) => `'nobody is called ${n}'`)
  const text = `SELECT Account.Id, Account.Name FROM Account WHERE Account.Name IN (${[...others, ...wanted]}) ORDER BY Account.Name`
  assert.ok(text.length > 70_000 && text.length < 100_000)
  const url = `${client.base}/query/?${new URLSearchParams({ q: text })}`
  const compositeRequest = [{ method: 'GET', url, referenceId: 'r0' }]
  const { status, body } = await client.post('/composite/', { allOrNone: true, compositeRequest })
  assert.equal(status, 200)
  const [found] = body.compositeResponse
  assert.deepEqual(
    [found.httpStatusCode, found.body.done],
    [200, true],
    JSON.stringify(found.body).slice(0, 300),
  )
  assert.deepEqual(names(found.body.records), all.slice(10, 20))
})

interface Column {
  readonly columnName: string
  readonly displayName: string
  readonly aggregate: boolean
  readonly joinColumns: readonly Column[]
}

/** The headings that sf makes of the columns: parents with dots, children below theirs, functions as displayed. */
const headings = (columns: readonly Column[]): string[] =>
  columns.flatMap((column) => {
    if (column.joinColumns.length > 0)
      return column.joinColumns.map((inner) => `${column.columnName}.${inner.columnName}`)
    return column.aggregate ? column.displayName : column.columnName
  })

// 15
test('sf: columns=true tells the columns of a result, for its tables', async () => {
  const fetchColumns = async (text: string) => {
    const { status, body } = await as('sf').get(`${queryPath(text)}&columns=true`)
    assert.equal(status, 200)
    return headings(body.columnMetadata)
  }
  assert.deepEqual(
    await fetchColumns('SELECT Name, Parent.Name, (SELECT LastName, Email FROM Contacts) FROM Account'),
    ['Name', 'Parent.Name', 'Contacts.LastName', 'Contacts.Email'],
  )
  assert.deepEqual(
    await fetchColumns('SELECT Industry, COUNT(Id), MAX(Name) top FROM Account GROUP BY Industry'),
    ['Industry', 'count(Id)', 'top'],
  )
})

const GO_LAYOUT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}[+-]\d{4}$/

// 23
for (const [title, name] of [
  ['go-salesforce', 'goSalesforce'],
  ['django-salesforce', 'djangoSalesforce'],
] as const) {
  test(`${title}: a time is written with milliseconds and an offset without a colon, also where it was sent otherwise`, async () => {
    const client = as(name)
    for (const [sent, read] of [
      ['2024-01-02T03:04:05.000+0000', '2024-01-02T03:04:05.000+0000'],
      ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000+0000'],
      ['2024-01-02T05:04:05.000+02:00', '2024-01-02T03:04:05.000+0000'],
    ]) {
      const { body } = await client.post('/sobjects/Specimen__c', { Name: title, Moment__c: sent })
      const record = (await client.get(`/sobjects/Specimen__c/${body.id}`)).body
      const text = `SELECT Moment__c, CreatedDate FROM Specimen__c WHERE Id = '${body.id}'`
      const [found] = (await client.get(queryPath(text))).body.records
      assert.deepEqual([record.Moment__c, found.Moment__c], [read, read])
      assert.match(record.CreatedDate, GO_LAYOUT)
      assert.equal(found.CreatedDate, record.CreatedDate)
    }
  })
}
