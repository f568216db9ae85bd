import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { sendDocument } from '../support/graphql.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'
import { openPort, type RealPort } from '../support/real-port.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* Few bytes that would cost much: they are refused while they come. */

const MEGABYTE = 1024 * 1024
const FORM = 'application/x-www-form-urlencoded'
const HOST = 'costly-bodies.example.com'

let o: TestOrg
let port: RealPort

before(async () => {
  o = await openOrg({
    host: HOST,
    deployment: writeDeployment({
      'resources/open.ts': 'export default { path: "/open", POST: ({ body }) => typeof body }',
      'resources/small.ts':
        'export default { path: "/small", maxBytes: 100, POST: ({ body }) => typeof body }',
    }),
  })
  const [set] = await fetchRecords(
    o,
    "SELECT Id FROM PermissionSet WHERE IsOwnedByProfile = true AND Profile.Name = 'Guest'",
  )
  await o.create('SetupEntityAccess', { ParentId: set!.Id, ResourceName: 'open' })
  port = await openPort()
})
after(() => port.close())

const pack = (text: string) => gzipSync(text, { level: 9 })

async function post(url: string, payload: Buffer | string, headers: Record<string, string>): Promise<Answer> {
  const server = url.startsWith('site:') ? o.site : o.server
  return makeAnswer(
    await server.inject({
      method: 'POST',
      url: url.replace(/^site:/, ''),
      headers: { host: HOST, ...headers },
      payload,
    }),
  )
}

describe('a form', () => {
  const ENDPOINTS = ['token', 'revoke', 'introspect'].map((name) => `/services/oauth2/${name}`)
  const headers = { 'content-type': FORM }
  const packed = pack('a&'.repeat(25_000_000))

  for (const url of ENDPOINTS) {
    test(`of 25 million parameters in 50 kB of gzip is refused at ${url}`, async () => {
      assert.ok(packed.length < 64 * 1024)
      const { status, body } = await post(url, packed, { ...headers, 'content-encoding': 'gzip' })
      assert.deepEqual([status, body.error], [413, 'invalid_request'])
    })

    test(`of a megabyte is refused at ${url}`, async () => {
      const { status, body } = await post(url, 'a&'.repeat(MEGABYTE / 2), headers)
      assert.deepEqual([status, body.error], [413, 'invalid_request'])
    })

    test(`of more parameters than any form has is refused at ${url}`, async () => {
      const form = Array.from({ length: 201 }, (_, n) => `p${n}=1`).join('&')
      const { status, body } = await post(url, form, headers)
      assert.deepEqual([status, body.error_description], [400, 'the form has more than 200 parameters'])
    })
  }

  test('with a query string of 250 kB is refused with 414 before that is read, at every endpoint', async () => {
    const query = `?${'a&'.repeat(125_000)}`
    for (const url of [...ENDPOINTS, '/services/oauth2/userinfo', '/services/data', '/id/keys', '/login']) {
      assert.equal((await post(`${url}${query}`, '', headers)).status, 414, url)
    }
  })
})

describe('JSON', () => {
  const BODIES = {
    'two million levels': '['.repeat(2_000_000),
    'a million values': `[${'[],'.repeat(1_000_000)}1]`,
    '300,000 members': `{${Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
  }
  const ENDPOINTS = {
    'the data API': '/services/data/v64.0/sobjects/Account',
    'the admin API': '/setup/orgs',
    'a custom resource': '/services/customrest/open',
    'a custom resource on the public site, for a guest': 'site:/services/customrest/open',
  }
  for (const [what, text] of Object.entries(BODIES)) {
    const packed = pack(text)
    for (const [where, url] of Object.entries(ENDPOINTS)) {
      test(`of ${what} is refused by ${where}, plain and packed`, async () => {
        const headers = {
          'content-type': 'application/json',
          ...(!url.startsWith('site:') && { authorization: `Bearer ${o.token}` }),
        }
        for (const [body, encoding] of [
          [text, 'identity'],
          [packed, 'gzip'],
        ] as const) {
          const answer = await post(url, body, { ...headers, 'content-encoding': encoding })
          if (answer.status === 413)
            assertRefused(answer, 413, 'REQUEST_BODY_TOO_LARGE', /^The request body is/)
          else assertRefused(answer, 400, 'JSON_PARSER_ERROR', /^The text (has more than|is nested deeper)/)
        }
      })
    }
  }
})

describe('the body for a custom resource', () => {
  const send = (url: string, bytes: number, headers: Record<string, string> = {}) =>
    post(url, `"${'x'.repeat(bytes)}"`, { 'content-type': 'application/json', ...headers })
  const token = () => ({ authorization: `Bearer ${o.token}` })

  test('has 5 MB, that of a guest one, unless the resource says otherwise', async () => {
    const open = '/services/customrest/open'
    assert.equal((await send(open, 4 * MEGABYTE, token())).status, 200)
    assert.equal((await send(open, 5 * MEGABYTE, token())).status, 413)
    assert.equal((await send(`site:${open}`, MEGABYTE / 2)).status, 200)
    assert.equal((await send(`site:${open}`, MEGABYTE)).status, 413)
    assert.equal((await send('/services/customrest/small', 90, token())).status, 200)
    assert.equal((await send('/services/customrest/small', 200, token())).status, 413)
  })
})

describe('a caller without a valid token', () => {
  const path = '/services/data/v64.0/sobjects/Account'

  test('is answered before the body has come', async () => {
    const { port: number, hostname } = new URL(port.address)
    const socket = connect(Number(number), hostname)
    socket.setEncoding('utf8')
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\nContent-Type: application/json\r\nContent-Length: 40000000\r\n\r\n{`,
    )
    const [reply] = await once(socket, 'data')
    assert.match(reply, /^HTTP\/1\.1 401 /)
    // The server does not wait for bytes that never come.
    await once(socket, 'close')
  })

  test('sees 401 also after sending half a megabyte', async () => {
    const answer = await fetch(port.address + path, {
      method: 'POST',
      headers: { authorization: 'Bearer wrong', 'content-type': 'application/json' },
      body: `{"Name":"${'x'.repeat(MEGABYTE / 2)}"}`,
    })
    assert.equal(answer.status, 401)
    await answer.text()
  })
})

test('a long number or name is no obstacle to telling where something else stands', async () => {
  for (const member of [`"AnnualRevenue":${'1'.repeat(5000)}`, `"${'x'.repeat(100_000)}":1`]) {
    const text = `{${member},"Name":["a"]}`
    const answer = await o.call('POST', '/sobjects/Account', { text })
    assert.equal(answer.status, 400, answer.text)
  }
  const text = `{"AnnualRevenue":1,"Fax":${'1'.repeat(5000)},"Name":["a"]}`
  const { body } = await o.call('POST', '/sobjects/Account', { text })
  assert.equal(body[0].errorCode, 'JSON_PARSER_ERROR')
})

test('a body above 8 MB that comes slowly keeps no other one waiting', async () => {
  const url = '/services/data/v64.0/sobjects/Account'
  const headers = { authorization: `Bearer ${o.token}`, 'content-type': 'application/json' }
  const padding = ' '.repeat(9 * MEGABYTE)
  const slow = [new PassThrough(), new PassThrough(), new PassThrough()]
  const answers = slow.map((payload) => {
    payload.write(`{"Name":"slow"${padding}`)
    return o.server.inject({ method: 'POST', url, headers, payload })
  })
  while (slow.some(({ readableLength }) => readableLength > 0)) await setImmediate()
  assert.equal((await post(url, `{"Name":"next"${padding}}`, headers)).status, 201)
  for (const payload of slow) payload.end('}')
  assert.deepEqual(
    (await Promise.all(answers)).map(({ statusCode }) => statusCode),
    [201, 201, 201],
  )
})

describe('a large body', () => {
  /** Larger than what is parsed at once. */
  const LARGE = 600 * 1024

  test('says where a value of the wrong kind is, for each of 200 records', async () => {
    const records = Array.from({ length: 200 }, (_, n) => ({
      attributes: { type: 'Account' },
      Name: `n${n}`,
      NumberOfEmployees: 'x'.repeat(100_000),
    }))
    const { status, body } = await o.call('POST', '/composite/sobjects', { body: { records } })
    assert.equal(status, 200)
    const [first] = body
    const column = JSON.stringify({ records }).indexOf('"xxx') + 1
    assert.match(first.errors[0].message, new RegExp(`at \\[line:1, column:${column}\\]$`))
    assert.equal(body.length, 200)
  })

  test('is read as a small one is: members, escapes, numbers and texts beyond ASCII', async () => {
    const description = `${'é€😀\n"\\'.repeat(3000)}\ud83d\ude00`
    const text = `${' '.repeat(LARGE)}{ "Name" : "a\\u00e9\\ud83d\\ude00\\/" , "AnnualRevenue":-1.5e3, "Description":${JSON.stringify(description)} }\n`
    const created = await o.call('POST', '/sobjects/Account', { text })
    assert.equal(created.status, 201, created.text)
    const { body } = await o.call(
      'GET',
      `/sobjects/Account/${created.body.id}?fields=Name,AnnualRevenue,Description`,
    )
    assert.deepEqual([body.Name, body.AnnualRevenue, body.Description], ['aé😀/', -1500, description])
  })

  test('that is not JSON is refused with the line and the column', async () => {
    const lines = '\n'.repeat(LARGE)
    assertRefused(
      await o.call('POST', '/sobjects/Account', { text: `{${lines}"Name":nope}` }),
      400,
      'JSON_PARSER_ERROR',
      new RegExp(`^Unrecognized token 'nope': .* at \\[line:${LARGE + 1}, column:8\\]$`),
    )
    assertRefused(
      await o.call('POST', '/sobjects/Account', { text: `{"AnnualRevenue":${'1'.repeat(LARGE)}}` }),
      400,
      'JSON_PARSER_ERROR',
      /^The number is longer than 1000 characters at /,
    )
    assertRefused(
      await o.call('POST', '/sobjects/Account', {
        text: Buffer.concat([Buffer.from('{"Name":"'), Buffer.alloc(LARGE, 0xff), Buffer.from('"}')]),
      }),
      400,
      'JSON_PARSER_ERROR',
      /^The request body is not UTF-8 text$/,
    )
  })

  test('with a name of half a megabyte is refused', async () => {
    assertRefused(
      await o.call('POST', '/sobjects/Account', { text: `{"${'x'.repeat(LARGE)}":1}` }),
      400,
      'JSON_PARSER_ERROR',
      /^The field name is longer than 65536 characters at \[line:1, column:2\]$/,
    )
  })

  test('for the admin API is read from administrators only', async () => {
    const person = await addPerson(o, 'curious')
    const answer = await person.call('PUT', '/setup/orgs/current/schema', { text: '['.repeat(1_000_000) })
    assertRefused(answer, 403, 'INSUFFICIENT_ACCESS', /^Only an administrator may set up an org$/)
  })

  test('with a search text of 40 MB is refused before that is looked at', async () => {
    const body = { q: 'a '.repeat(20_000_000), sobjects: [{ name: 'Account' }], fields: ['Id'] }
    assertRefused(
      await o.call('POST', '/parameterizedSearch', { body }),
      400,
      'MALFORMED_SEARCH',
      /cannot be longer than 100000 characters/,
    )
  })

  test('with a search in more than 200 objects is refused', async () => {
    const body = { q: 'large', sobjects: Array.from({ length: 201 }, () => ({ name: 'Account' })) }
    assertRefused(
      await o.call('POST', '/parameterizedSearch', { body }),
      400,
      'MALFORMED_SEARCH',
      /cannot return more than 200 objects/,
    )
    const find = `FIND {large} RETURNING ${Array.from({ length: 201 }, () => 'Account').join(', ')}`
    assertRefused(
      await o.call('GET', `/search?q=${encodeURIComponent(find)}`),
      400,
      'MALFORMED_SEARCH',
      /cannot return more than 200 objects/,
    )
  })

  for (const [what, httpHeaders] of Object.entries({
    'a list of 10 million tags': { 'If-None-Match': ','.repeat(10_000_000) },
    'a date of 10 MB': { 'If-Modified-Since': '1'.repeat(10_000_000) },
    '200,000 names': Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`X-${n}`, 'a'])),
  })) {
    test(`with ${what} in the headers of a subrequest is refused`, async () => {
      const step = {
        method: 'GET',
        url: '/services/data/v64.0/sobjects/Account/x',
        referenceId: 'r',
        httpHeaders,
      }
      const message = /^The headers are longer than 16384 characters together at \[line:1, column:\d+\]$/
      const composite = await o.call('POST', '/composite', { body: { compositeRequest: [step] } })
      assertRefused(composite, 400, 'JSON_PARSER_ERROR', message)
      const graph = await o.call('POST', '/composite/graph', {
        body: { graphs: [{ graphId: 'g', compositeRequest: [step] }] },
      })
      assert.match(graph.text, /The headers are longer than 16384 characters together/)
    })
  }

  test('with 200,000 values for a filter of a document is refused', async () => {
    const { errors } = await sendDocument(
      o,
      'query($v:[String]){uiapi{query{Account(where:{Name:{in:$v}}){edges{node{Id}}}}}}',
      { variables: { v: Array.from({ length: 200_000 }, (_, n) => `${n}`) } },
    )
    assert.match(errors[0]!.message, /^The lists of a filter may have at most 50000 values$/)
  })
})

describe('the variables of a document have 10,000 members at most', () => {
  const document = (type: string, argument: string) =>
    `query($v:${type}){uiapi{query{Account(${argument}:$v){edges{node{Id}}}}}}`
  const nest = (levels: number): object =>
    levels === 0
      ? { or: Array.from({ length: 200 }, () => ({ Name: { eq: 'a' } })) }
      : { and: [nest(levels - 1), {}] }
  const MANY: readonly (readonly [what: string, type: string, argument: string, value: unknown])[] = [
    [
      'in one list of a filter',
      'Account_Filter',
      'where',
      { or: Array.from({ length: 80_000 }, () => ({ Name: { eq: 'a' } })) },
    ],
    ['in empty conditions', 'Account_Filter', 'where', { and: Array.from({ length: 100_000 }, () => ({})) }],
    ['in nested lists', 'Account_Filter', 'where', { or: Array.from({ length: 30 }, () => nest(20)) }],
    [
      'in an order',
      'Account_OrderBy',
      'orderBy',
      Array.from({ length: 20_000 }, () => ({ Name: { order: 'ASC' } })),
    ],
  ]
  for (const [what, type, argument, v] of MANY) {
    test(what, async () => {
      const { data, errors } = await sendDocument(o, document(type, argument), { variables: { v } })
      assert.deepEqual(data, {})
      assert.equal(errors[0]!.message, 'The variables have more than 10000 members')
    })
  }
})

test('the values of a filter have 5,000,000 characters together at most', async () => {
  const { errors } = await sendDocument(
    o,
    'query($v:[String]){uiapi{query{Account(where:{Name:{in:$v}}){edges{node{Id}}}}}}',
    { variables: { v: Array.from({ length: 6000 }, (_, n) => `${n}`.padEnd(900, 'x')) } },
  )
  assert.equal(errors[0]!.message, 'The values of a filter may have at most 5000000 characters together')
})

test('an object with 5,000 fields is refused before each of them is looked at', async () => {
  const fields = Object.fromEntries(
    Array.from({ length: 5000 }, (_, n) => [`F${n}__c`, { type: 'string', length: 10 }]),
  )
  const { status, body } = await o.call('PUT', '/setup/orgs/current/schema', {
    body: { objects: { Wide__c: { fields } }, planOnly: true },
  })
  assert.equal(status, 400)
  assert.match(body[0].message, /^objects\.Wide__c\.fields: \d+ fields are more than 800$/)
})

describe('a deployment', () => {
  const plan = async (objects: object, valueSets: object = {}) => {
    const { status, body } = await o.call('PUT', '/setup/orgs/current/schema', {
      body: { objects, valueSets, mode: 'keep', planOnly: true },
    })
    return {
      status,
      body,
      messages: status === 200 ? [] : body.map(({ message }: { message: string }) => message),
    }
  }
  const objectsWith = (count: number, fields: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`Many${n}__c`, { fields }]))

  test('of 2,000 objects is planned', async () => {
    const { status, body } = await plan(objectsWith(2000, { Text__c: { type: 'string', length: 10 } }))
    assert.equal(status, 200)
    assert.equal(body.steps.length, 2000)
  })

  test('of more custom objects than an org can have is refused', async () => {
    const { status, messages } = await plan(objectsWith(3845, {}))
    assert.equal(status, 400)
    assert.deepEqual(messages, ['objects: 3845 custom objects are more than the 3844 that an org can have'])
  })

  test('of more objects than the database has locks for changes nothing, and says so', async () => {
    const objects = objectsWith(3000, { Text__c: { type: 'string', length: 10 } })
    const { status, body } = await o.call('PUT', '/setup/orgs/current/schema', {
      body: { objects, mode: 'keep' },
    })
    assert.equal(status, 400)
    assert.equal(body[0].errorCode, 'DEPLOYMENT_REFUSED')
    assert.match(
      body[0].message,
      /^The deployment makes 3000 tables and \d+ indexes, with \d+ locks in one transaction\. The database has \d+: deploy in parts/,
    )
    assert.equal((await o.call('GET', '/sobjects/Many0__c')).status, 404)
  })

  test('of few objects with more indexes than the database has locks for changes nothing either', async () => {
    const unique = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`Text${n}__c`, { type: 'string', length: 10, unique: true }]),
    )
    const { status, body } = await o.call('PUT', '/setup/orgs/current/schema', {
      body: { objects: objectsWith(400, unique), mode: 'keep' },
    })
    assert.deepEqual([status, body[0].errorCode], [400, 'DEPLOYMENT_REFUSED'])
    assert.match(body[0].message, /^The deployment makes 400 tables and \d+ indexes, with \d+ locks/)
    assert.equal((await o.call('GET', '/sobjects/Many0__c')).status, 404)
  })

  test('names the first 200 of its problems', async () => {
    const { status, messages } = await plan(objectsWith(1000, { Text__c: { type: 'strin' } }))
    assert.equal(status, 400)
    assert.equal(messages.length, 200)
    assert.match(messages[199], /^objects\.Many199__c\.fields\.Text__c\.type: /)
  })

  test('with a picklist of more than 10,000 values is refused', async () => {
    const values = Array.from({ length: 10_001 }, (_, n) => `v${n}`)
    const { status, messages } = await plan({
      List__c: { fields: { List__c: { type: 'picklist', values } } },
    })
    assert.equal(status, 400)
    assert.deepEqual(messages, ['objects.List__c.fields.List__c: has more than 10000 values'])
  })

  test('is refused where fields take more values from value sets than an object may have', async () => {
    const values = Array.from({ length: 9000 }, (_, n) => `v${n}`)
    const fields = Object.fromEntries(
      Array.from({ length: 6 }, (_, n) => [`F${n}__c`, { type: 'picklist', valueSet: 'Many' }]),
    )
    const { status, messages } = await plan({ List__c: { fields } }, { Many: { values } })
    assert.equal(status, 400)
    assert.deepEqual(messages, ['objects.List__c.fields: they have more than 50000 picklist values together'])
  })
})

describe('a body that is read in slices', () => {
  /** Characters of one to four bytes and escapes, so that a slice ends inside of each somewhere. */
  const MIXED = ['a', 'é', '漢', '😀', '\n', '"', '\\', '\u0001']
  const makeText = (length: number, seed: number) =>
    Array.from({ length }, (_, n) => MIXED[(n * 7 + seed * n * n) % MIXED.length]).join('')

  test('has the same values as a small one, in any characters', async () => {
    const texts = Array.from({ length: 40 }, (_, n) => makeText(20_000, n))
    const records = texts.map((Description, n) => ({
      attributes: { type: 'Account' },
      Name: `mixed ${String(n).padStart(2, '0')}`,
      Description,
    }))
    const { body: saved } = await o.call('POST', '/composite/sobjects', { body: { records } })
    assert.ok(saved.every(({ success }: { success: boolean }) => success))
    const { body } = await o.call(
      'GET',
      `/query?q=${encodeURIComponent("SELECT Description FROM Account WHERE Name LIKE 'mixed %' ORDER BY Name")}`,
    )
    assert.deepEqual(
      body.records.map(({ Description }: { Description: string }) => Description),
      texts.map((text) => text.trim()),
    )
  })

  test('may have a text that is longer than a slice', async () => {
    const bytes = Buffer.from(makeText(300_000, 3))
    const ParentId = await o.create('Account', { Name: 'of a large file' })
    const id = await o.create('Attachment', { Name: 'é', ParentId, Body: bytes.toString('base64') })
    const { rawPayload } = await o.server.inject({
      url: `/services/data/v64.0/sobjects/Attachment/${id}/Body`,
      headers: { authorization: `Bearer ${o.token}` },
    })
    assert.ok(rawPayload.equals(bytes))
  })

  test('that is no JSON is refused with the line and the column, counted in characters', async () => {
    const text = makeText(300_000, 1)
    const line = `"Description":${JSON.stringify(text)},oops`
    const { status, body } = await o.call('POST', '/sobjects/Account', { text: `{"Name":"a",\n${line}}` })
    assert.equal(status, 400)
    assert.ok(
      body[0].message.endsWith(`at [line:2, column:${line.length - 'oops'.length + 1}]`),
      body[0].message,
    )
  })
})

test('a large answer of a document is the same plain, compressed, and with indentation requested', async () => {
  const Description = 'ü'.repeat(1500)
  const records = Array.from({ length: 200 }, (_, n) => ({
    attributes: { type: 'Account' },
    Name: `document ${String(n).padStart(3, '0')}`,
    Description,
  }))
  await o.call('POST', '/composite/sobjects', { body: { records } })
  const one = (alias: string) =>
    `${alias}: Account(first: 200, where: { Name: { like: "document %" } }, orderBy: { Name: { order: ASC } }) { totalCount edges { cursor node { Name { value } Description { value } } } pageInfo { hasNextPage } }`
  const query = `{ uiapi { query { ${one('a')} ${one('b')} } } }`
  const plain = await o.call('POST', '/graphql', { body: { query } })
  const { a, b } = plain.body.data.uiapi.query
  assert.deepEqual(b, a)
  assert.equal(a.totalCount, 200)
  assert.deepEqual(
    a.edges.map(({ node }: { node: Record<string, { value: string }> }) => [
      node.Name!.value,
      node.Description!.value,
    ]),
    records.map(({ Name }) => [Name, Description]),
  )
  assert.deepEqual(plain.body.errors, [])
  const send = (headers: Record<string, string>) =>
    o.server.inject({
      method: 'POST',
      url: '/services/data/v64.0/graphql',
      headers: { authorization: `Bearer ${o.token}`, 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ query }),
    })
  const packed = await send({ 'accept-encoding': 'gzip' })
  assert.deepEqual(JSON.parse(gunzipSync(packed.rawPayload).toString()), plain.body)
  assert.deepEqual((await send({ 'x-prettyprint': '1' })).json(), plain.body)
})

test('a large answer is the same plain, compressed, and with indentation requested', async () => {
  const text = 'é'.repeat(30_000)
  const records = Array.from({ length: 20 }, (_, n) => ({
    attributes: { type: 'Account' },
    Name: `large ${n}`,
    Description: text,
  }))
  await o.call('POST', '/composite/sobjects', { body: { records } })
  const path = `/query?q=${encodeURIComponent("SELECT Name, Description FROM Account WHERE Name LIKE 'large %' ORDER BY Id")}`
  const plain = await o.call('GET', path)
  assert.equal(plain.body.records.length, 20)
  assert.equal(plain.body.records[19].Description, text)
  const send = (headers: Record<string, string>) =>
    o.server.inject({
      url: `/services/data/v64.0${path}`,
      headers: { authorization: `Bearer ${o.token}`, ...headers },
    })
  for (const [encoding, unpack] of [
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
  ] as const) {
    const packed = await send({ 'accept-encoding': encoding })
    assert.equal(packed.headers['content-encoding'], encoding)
    assert.deepEqual(JSON.parse(unpack(packed.rawPayload).toString()), plain.body)
  }
  assert.deepEqual((await send({ 'x-prettyprint': '1' })).json(), plain.body)
  const batchRequests = Array.from({ length: 3 }, () => ({ method: 'GET', url: `v64.0${path}` }))
  const batch = await o.call('POST', '/composite/batch', { body: { batchRequests } })
  assert.deepEqual(batch.body, {
    hasErrors: false,
    results: batchRequests.map(() => ({ statusCode: 200, result: plain.body })),
  })
})
