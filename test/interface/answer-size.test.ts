import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { queryPath } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* The records of one call take a bounded number of bytes. (docs/reference/api/queries.md#pages) */

const LENGTH = 131_072
const MAX_ANSWER_BYTES = 1024 * 1024
const TOO_LARGE = /take more than the 1024 kB/
const RECORDS = 12
/** As many times as a text stands in a record of which a page has place for three. */
const TIMES = 2

let o: TestOrg
let ids: readonly string[]

before(async () => {
  o = await openOrg({ settings: { answerLimit: String(MAX_ANSWER_BYTES) } })
  const fields = {
    Text__c: { type: 'longtextarea', length: LENGTH },
    Part_Of__c: { type: 'reference', to: 'Story__c', relationship: 'Part_Of__r', children: 'Parts__r' },
  } as const
  await fetchSteps(o, { Story__c: { fields } })
  const records = Array.from({ length: RECORDS }, (_, index) => ({
    attributes: { type: 'Story__c' },
    Name: `Story ${String(index).padStart(2, '0')}`,
  }))
  const { body } = await o.call('POST', '/composite/sobjects', { body: { records } })
  ids = body.map(({ id }: { id: string }) => id)
  await o.db.query(
    sql`update ${sql.id(o.org.schemaName, 'story__c')} set text__c = repeat('x', ${LENGTH}::integer)`,
  )
})

const selected = (times: number) =>
  Array.from({ length: times }, (_, index) => `toLabel(Text__c) t${index}`).join(', ')

interface Read {
  readonly ids: readonly string[]
  readonly bytes: number
  readonly next: string | undefined
}

async function readPage(path: string): Promise<Read> {
  const { status, body, text } = await o.call('GET', path)
  assert.equal(status, 200, text.slice(0, 300))
  return {
    ids: body.records.map(({ Id }: { Id: string }) => Id),
    bytes: text.length,
    next: body.done ? undefined : body.nextRecordsUrl,
  }
}

describe('a result of large records', () => {
  for (const [kind, tail] of [
    ['by id', ''],
    ['in an order', 'ORDER BY Name'],
    ['behind an offset', 'ORDER BY Name OFFSET 1'],
  ] as const) {
    test(`${kind} comes in shorter pages, with each record once, and the same again`, async () => {
      const pages: Read[] = []
      for (
        let path: string | undefined = queryPath(`SELECT Id, ${selected(TIMES)} FROM Story__c ${tail}`);
        path !== undefined;
      ) {
        const page = await readPage(path)
        assert.ok(page.ids.length > 0 && page.bytes < MAX_ANSWER_BYTES * 1.1)
        if (pages.length === 1) assert.deepEqual((await readPage(path)).ids, page.ids)
        pages.push(page)
        path = page.next
      }
      assert.ok(pages.length > 2)
      const found = pages.flatMap((page) => page.ids)
      assert.deepEqual(found, tail.includes('OFFSET') ? ids.slice(1) : ids)
    })
  }

  test('is refused if not even one of them has place', async () => {
    const answer = await o.call('GET', queryPath(`SELECT Id, ${selected(10)} FROM Story__c`))
    assertRefused(answer, 400, 'OPERATION_TOO_LARGE', TOO_LARGE)
  })

  test('has place with its children, or is refused', async () => {
    const parents = ids
      .slice(1, 6)
      .map((id) => ({ attributes: { type: 'Story__c' }, id, Part_Of__c: ids[0] }))
    const linked = await o.call('PATCH', '/composite/sobjects', { body: { records: parents } })
    assert.ok(linked.body.every(({ success }: { success: boolean }) => success))
    const parts = (times: number) =>
      o.call('GET', queryPath(`SELECT Id, (SELECT ${selected(times)} FROM Parts__r) FROM Story__c`))
    assert.equal((await parts(1)).status, 200)
    assertRefused(await parts(TIMES), 400, 'OPERATION_TOO_LARGE', TOO_LARGE)
  })
})

describe('a page of a GraphQL connection', () => {
  const fields = (times: number) =>
    Array.from({ length: times }, (_, index) => `t${index}: Text__c { value }`).join(' ')
  const ask = (args: string, times: number, more = '') =>
    sendDocument(
      o,
      `{ uiapi { query { Story__c(${args}) { edges { node { Id ${fields(times)} } } pageInfo { hasNextPage endCursor } ${more} } } } }`,
    )

  test('has fewer records than were asked for, and others follow', async () => {
    const found: string[] = []
    let after = ''
    let count = 0
    for (let more = true; more; count++) {
      const { data } = await ask(`first: 200, orderBy: { Name: { order: ASC } } ${after}`, TIMES)
      const { edges, pageInfo } = data.uiapi.query.Story__c
      assert.ok(edges.length > 0 && edges.length < RECORDS)
      found.push(...edges.map(({ node }: { node: { Id: string } }) => node.Id))
      after = `after: "${pageInfo.endCursor}"`
      more = pageInfo.hasNextPage
    }
    assert.ok(count > 2)
    assert.deepEqual(found, ids)
  })

  test('is refused if one record has no place, or all of them beside a total have none', async () => {
    for (const [args, times, more] of [
      ['first: 200', 10, ''],
      ['first: 200', TIMES, 'totalCount'],
    ] as const) {
      const { data, errors } = await ask(args, times, more)
      assert.equal(data.uiapi.query.Story__c, null)
      assert.match(errors![0]!.message, TOO_LARGE)
    }
  })
})

test('the connections of a document are bounded together', async () => {
  const connection = (index: number) =>
    `c${index}: Story__c(first: 200) { edges { node { Text__c { value } } } }`
  const { data, errors } = await sendDocument(
    o,
    `{ uiapi { query { ${Array.from({ length: 5 }, (_, index) => connection(index)).join(' ')} } } }`,
  )
  const counts = Object.values<{ edges: unknown[] } | null>(data.uiapi.query).map((one) => one?.edges.length)
  const all = counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  assert.ok(all * LENGTH <= MAX_ANSWER_BYTES, `${all} records`)
  assert.ok(errors!.length > 0 && all > 0)
})

test('the records of all steps of a call are bounded together', async () => {
  const url = `/services/data/v64.0${queryPath(`SELECT Id, ${selected(TIMES)} FROM Story__c`)}`
  const compositeRequest = Array.from({ length: 5 }, (_, index) => ({
    method: 'GET',
    url,
    referenceId: `step${index}`,
  }))
  const { body, text } = await o.call('POST', '/composite', { body: { compositeRequest } })
  assert.ok(text.length < MAX_ANSWER_BYTES * 1.1)
  const statuses = body.compositeResponse.map(
    ({ httpStatusCode }: { httpStatusCode: number }) => httpStatusCode,
  )
  assert.deepEqual(statuses, [200, 400, 400, 400, 400])
})

test('an atomic composite does not wait for memory of those that wait for the database', async () => {
  const path = queryPath('SELECT Id, Text__c FROM Story__c LIMIT 200')
  const compositeRequest = [
    {
      method: 'POST',
      url: '/services/data/v64.0/sobjects/Account',
      body: { Name: 'first' },
      referenceId: 'made',
    },
    { method: 'GET', url: `/services/data/v64.0${path}`, referenceId: 'read' },
  ]
  const body = { allOrNone: true, compositeRequest }
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => o.call('POST', '/composite', { body })),
    ...Array.from({ length: 12 }, () => o.call('GET', path)),
  ])
  for (const { status, text } of answers) assert.equal(status, 200, text.slice(0, 300))
  for (const composite of answers.slice(0, 4)) {
    const steps = composite.body.compositeResponse as { httpStatusCode: number }[]
    assert.deepEqual(
      steps.map(({ httpStatusCode }) => httpStatusCode),
      [201, 200],
    )
  }
})

test('records that are read by their ids are refused if they have no place together', async () => {
  const read = (count: number) =>
    o.call('POST', '/composite/sobjects/Story__c', {
      body: { ids: ids.slice(0, count), fields: ['Text__c'] },
    })
  assert.equal((await read(7)).status, 200)
  assertRefused(await read(8), 400, 'OPERATION_TOO_LARGE', TOO_LARGE)
})

test('the pieces of a large answer end between characters, wherever these lie', async () => {
  for (const before of ['', 'x']) {
    const text = `${before}${'\u{1F600}'.repeat(50_000)}`
    const made = await o.call('POST', '/sobjects/Story__c', { body: { Name: 'Faces', Text__c: text } })
    const path = `/sobjects/Story__c/${made.body.id}`
    assert.equal((await o.call('GET', path)).body.Text__c, text)
    const { body } = await o.call('GET', queryPath(`SELECT Text__c FROM Story__c WHERE Name = 'Faces'`))
    assert.equal(body.records[0].Text__c, text)
    const { data } = await sendDocument(
      o,
      `{ uiapi { query { Story__c(where: { Name: { eq: "Faces" } }) { edges { node { Text__c { value } } } } } } }`,
    )
    assert.equal(data.uiapi.query.Story__c.edges[0].node.Text__c.value, text)
    assert.equal((await o.call('DELETE', path)).status, 204)
  }
})

test('a long answer of a query is the same alone, indented, as a step of others and where a later step refers to it', async () => {
  const records = Array.from({ length: 60 }, (_, n) => ({
    attributes: { type: 'Story__c' },
    Name: `Long ${n}`,
    Text__c: `${'\u{1F600}é"x'.repeat(200)}${n}`,
  }))
  await o.call('POST', '/composite/sobjects', { body: { records } })
  const path = queryPath(
    `SELECT Id, Name, Text__c FROM Story__c WHERE Name LIKE 'Long %' ORDER BY CreatedDate, Id`,
  )
  const alone = (await o.call('GET', path)).body
  assert.deepEqual(
    alone.records.map(({ Name, Text__c }: Record<string, string>) => ({ Name, Text__c })),
    records.map(({ Name, Text__c }) => ({ Name, Text__c })),
  )
  const url = `/services/data/v64.0${path}`
  assert.deepEqual((await o.call('GET', path, { headers: { 'x-prettyprint': '1' } })).body, alone)
  const batch = await o.call('POST', '/composite/batch', {
    body: { batchRequests: [{ method: 'GET', url }] },
  })
  assert.deepEqual(batch.body.results[0].result, alone)
  const composite = await o.call('POST', '/composite', {
    body: {
      compositeRequest: [
        { method: 'GET', referenceId: 'found', url },
        {
          method: 'PATCH',
          referenceId: 'written',
          url: `/services/data/v64.0/sobjects/Story__c/@{found.records[59].Id}`,
          body: { Name: '@{found.records[58].Name}' },
        },
      ],
    },
  })
  const [found, written] = composite.body.compositeResponse
  assert.deepEqual(found.body, alone)
  assert.equal(written.httpStatusCode, 204)
  assert.equal((await o.call('GET', `/sobjects/Story__c/${alone.records[59].Id}`)).body.Name, 'Long 58')
})

test('long texts of any characters are stored as they are sent, in lists of records too', async () => {
  const text = (seed: number) => `${'x'.repeat(seed)}${'\u{1F600}\u00e9"\\{},NULL\n\t '.repeat(3000)}.`
  const send = async (method: string, records: readonly object[]) => {
    const { body } = await o.call(method, '/composite/sobjects', {
      body: { records: records.map((one) => ({ attributes: { type: 'Story__c' }, ...one })) },
    })
    assert.ok(
      body.every(({ success }: { success: boolean }) => success),
      JSON.stringify(body).slice(0, 300),
    )
    return body.map(({ id }: { id: string }) => id) as string[]
  }
  const seeds = Array.from({ length: 12 }, (_, seed) => seed)
  const made = await send(
    'POST',
    seeds.map((seed) => ({ Name: `Odd ${seed}`, Text__c: text(seed) })),
  )
  const check = async (expected: (seed: number) => string | null) => {
    for (const [seed, id] of made.entries()) {
      assert.equal((await o.call('GET', `/sobjects/Story__c/${id}`)).body.Text__c, expected(seed))
    }
  }
  await check(text)
  const changed = (seed: number) => (seed % 5 === 4 ? null : text(100 - seed))
  await send(
    'PATCH',
    made.map((id, seed) => ({ id, Text__c: changed(seed) })),
  )
  await check(changed)
  for (const id of made) assert.equal((await o.call('DELETE', `/sobjects/Story__c/${id}`)).status, 204)
})
