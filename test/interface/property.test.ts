import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ERROR_CODES } from '../../src/base/error-codes.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let org: TestOrg
let id: string
let account: string

before(async () => {
  org = await openOrg({ settings: { bodyLimit: '200000' } })
  await org.deploy([SPECIMEN])
  account = await org.create('Account', { Name: 'Acme' })
  id = await org.create('Specimen__c', { Key__c: 'fixed', Loose__c: 'twin' })
  await org.create('Specimen__c', { Loose__c: 'twin' })
})

const RUNS = { numRuns: runs(60) }

const read = async (path: string) => (await org.call('GET', path)).body
const count = async () => (await read('/query?q=SELECT%20COUNT()%20FROM%20Specimen__c')).totalSize

/** Refused for what the client did, in the shape of the interface. */
function assertRefusal({ status, body, text, headers }: Answer): void {
  assert.ok(status >= 400 && status < 500, `${status} ${text}`)
  assert.equal(headers['content-type'], 'application/json;charset=UTF-8')
  assert.ok(Array.isArray(body) && body.length > 0, text)
  for (const error of body) {
    assert.deepEqual(Object.keys(error).sort(), ['errorCode', 'fields', 'message'])
    assert.ok(error.errorCode in ERROR_CODES)
    assert.ok(error.message.length < 3000)
    assert.ok(Array.isArray(error.fields))
  }
}

const names = SPECIMEN.fields.flatMap(({ name }) => [name, name.toLowerCase(), name.replace('__c', '__r')])
const memberName = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...names) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('attributes', 'Owner', 'OwnerId', 'Home__City__s', 'Site__Latitude__s'),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'Id', '', 'toString')),
  },
)

const oddText = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\ud800',
  '\udfff\ud800',
  'a\0b',
  '1e999',
  '-0',
  '0x10',
  '1_000',
  'NaN',
  'Infinity',
  'true',
  'TRUE',
  '2024-02-30',
  '9999-12-31',
  '0000-00-00',
  '2024-01-01T00:00:00Z',
  '24:00:00Z',
  '12:00:00.000Z',
  'red',
  'four;six;;',
  "'; drop table account; --",
  '%',
  '_',
  '\\',
  '$1',
  '@{a.b}',
  'a@b.c',
  'aGVsbG8=',
  '001000000000001AAA',
  'x'.repeat(5000),
)
const oddNumber = fc.constantFrom(
  0,
  -0,
  1e300,
  -1e300,
  1e-300,
  2 ** 53,
  2 ** 31,
  -(2 ** 31) - 1,
  1e15,
  0.1 + 0.2,
)
const value = fc.letrec<{ value: unknown; list: unknown[]; object: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    oddText,
    fc.string({ unit: 'binary' }),
    oddNumber,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('account').map(() => account),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(
    fc.oneof(
      fc.constantFrom('attributes', 'type', 'Name', 'Key__c', 'Id', 'toString', 'valueOf', '__proto__'),
      fc.string(),
    ),
    tie('value'),
    { maxKeys: 3 },
  ),
})).value

/** As text, so that members may stand twice and `__proto__` is one. */
const body = fc
  .array(fc.tuple(memberName, value), { maxLength: 6 })
  .map(
    (members) =>
      `{${members.map(([name, given]) => `${JSON.stringify(name)}:${JSON.stringify(given)}`).join(',')}}`,
  )

describe('whatever a body holds', () => {
  test('a create stores a record that can be read, or refuses and stores nothing', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const before = await count()
        const answer = await org.call('POST', '/sobjects/Specimen__c', { text })
        if (answer.status === 201) {
          assert.equal((await org.call('GET', `/sobjects/Specimen__c/${answer.body.id}`)).status, 200)
        } else assertRefusal(answer)
        assert.equal(await count(), answer.status === 201 ? before + 1 : before)
      }),
      RUNS,
    )
  })

  test('an update answers 204, or refuses and changes nothing', async () => {
    const path = `/sobjects/Specimen__c/${id}`
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const before = await read(path)
        const answer = await org.call('PATCH', path, { text })
        if (answer.status === 204) return
        assertRefusal(answer)
        assert.deepEqual(await read(path), before)
      }),
      RUNS,
    )
  })

  test('an upsert creates, updates, lists or refuses, and changes nothing unless it says so', async () => {
    const key = fc.oneof(
      fc.constantFrom('Key__c/fixed', 'Loose__c/twin', 'Key__c/other', 'Ordinal__c/7', 'Numeral__c/7', 'Id'),
      fc
        .tuple(
          fc.constantFrom(
            'Key__c',
            'Exact__c',
            'Loose__c',
            'Numeral__c',
            'Ordinal__c',
            'Name',
            'Id',
            'Text__c',
          ),
          fc.oneof(oddText, fc.string()),
        )
        .map(([field, text]) => `${field}/${encodeURIComponent(text.toWellFormed())}`),
    )
    await fc.assert(
      fc.asyncProperty(key, fc.constantFrom('', '?updateOnly=true'), body, async (path, query, text) => {
        const before = [await count(), await read(`/sobjects/Specimen__c/${id}`)]
        const answer = await org.call('PATCH', `/sobjects/Specimen__c/${path}${query}`, { text })
        const after = [await count(), await read(`/sobjects/Specimen__c/${id}`)]
        if (answer.status === 200) assert.equal(after[0], before[0])
        else if (answer.status === 201) assert.equal(after[0], before[0] + 1)
        else {
          if (answer.status !== 300) assertRefusal(answer)
          assert.deepEqual(after, before)
        }
      }),
      RUNS,
    )
  })

  test('text that is any text is refused or understood', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('POST', 'PATCH'), async (sent, method) => {
        const path = method === 'POST' ? '/sobjects/Account' : `/sobjects/Account/${account}`
        const before = await read(`/sobjects/Account/${account}`)
        const answer = await org.call(method, path, { text: sent as string })
        if (answer.status >= 300) assertRefusal(answer)
        assert.deepEqual(await read(`/sobjects/Account/${account}`), before)
      }),
      RUNS,
    )
  })
})

describe('whatever a path and the headers hold', () => {
  const segment = fc.oneof(
    fc.constantFrom(
      'sobjects',
      'Account',
      'Specimen__c',
      'describe',
      'Key__c',
      'Id',
      'Name',
      'query',
      'v64.0',
      'latest',
      '%',
      '%2F',
      '%00',
      '..',
      '.json',
      '',
    ),
    fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.string().map((text) => text.replace(/[\s\\#?]/g, '')),
  )
  const path = fc
    .tuple(
      fc.constantFrom(
        '/services/data/',
        '/services/data/v64.0/',
        '/services/data/v64.0/sobjects/',
        '/',
        '/services/',
      ),
      fc.array(segment, { maxLength: 5 }),
    )
    .map(([start, segments]) => start + segments.join('/'))
  const headerName = fc.constantFrom(
    'accept',
    'authorization',
    'content-type',
    'content-encoding',
    'cookie',
    'host',
    'if-match',
    'if-none-match',
    'if-modified-since',
    'if-unmodified-since',
    'origin',
    'range',
    'svc-query-options',
    'sforce-query-options',
    'x-forwarded-host',
    'x-prettyprint',
    'svc-call-options',
  )
  const headerValue = fc.oneof(
    fc.constantFrom(
      '',
      '1',
      '*',
      'gzip',
      'br',
      '"x"',
      'application/json',
      'Bearer',
      'batchSize=abc',
      'constructor',
      '__proto__',
    ),
    fc.string({ unit: 'grapheme-ascii' }).map((text) => text.trim()),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  )

  test('the answer is no failure of ours, and refusals have their shape', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD')
    const headers = fc.dictionary(headerName, headerValue, { maxKeys: 4, noNullPrototype: true })
    await fc.assert(
      fc.asyncProperty(method, path, headers, fc.option(body), async (verb, address, given, text) => {
        const answer = await org.call(verb, address, { headers: given, text: text ?? undefined })
        assert.ok(answer.status < 500, `${verb} ${address} ${answer.status} ${answer.text}`)
        if (answer.status >= 400 && verb !== 'HEAD') assertRefusal(answer)
      }),
      { numRuns: runs(200) },
    )
  })

  test('fields= is refused or understood', async () => {
    const fields = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...names, ' ', '*', ',')).map(String),
    )
    await fc.assert(
      fc.asyncProperty(fields, async (requested) => {
        const query = encodeURIComponent(requested.toWellFormed())
        const answer = await org.call('GET', `/sobjects/Specimen__c/${id}?fields=${query}`)
        if (answer.status !== 200) assertRefusal(answer)
      }),
      RUNS,
    )
  })
})
