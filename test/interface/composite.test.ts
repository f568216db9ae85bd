import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertHalted, fetchResults, post, ROLLED_BACK, statusesOf, step, V64 } from '../support/composite.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy([SPECIMEN])
})

const specimens = (prefix: string) => fetchNames(o, `Specimen__c WHERE Name LIKE '${prefix}%' ORDER BY Name`)
const create = (Name: string, more: object = {}) => step('POST', '/sobjects/Specimen__c', { Name, ...more })

describe('a composite', () => {
  test('answers 200 with one result per subrequest, in their order, each as the resource answers by itself', async () => {
    const account = await o.create('Account', { Name: 'Acme' })
    const results = await fetchResults(o, [
      { ...create('first'), referenceId: 'made' },
      step('GET', `/sobjects/Account/${account}?fields=Name`),
      step('PATCH', `/sobjects/Account/${account}`, { Phone: '1' }),
      step('PATCH', '/sobjects/Specimen__c/Key__c/k1', {}),
      step('PATCH', '/sobjects/Specimen__c/Key__c/k1', {}),
      step('GET', '/query?q=SELECT%20Name%20FROM%20Account'),
      step('POST', '/sobjects/Contact', {}),
      step('DELETE', `/sobjects/Account/${account}`),
    ])
    const [made, read, updated, inserted, again, found, refused, deleted] = results
    const { id } = made!.body
    assert.deepEqual(made, {
      body: { id, success: true, errors: [] },
      httpHeaders: { Location: `${V64}/sobjects/Specimen__c/${id}` },
      httpStatusCode: 201,
      referenceId: 'made',
    })
    const attributes = { type: 'Account', url: `${V64}/sobjects/Account/${account}` }
    assert.deepEqual(read!.body, { attributes, Name: 'Acme', Id: account })
    assert.deepEqual(updated, { body: null, httpHeaders: {}, httpStatusCode: 204, referenceId: 'r3' })
    assert.equal(inserted!.httpStatusCode, 201)
    assert.deepEqual(again!.body, { id: inserted!.body.id, success: true, errors: [], created: false })
    assert.deepEqual(found!.httpHeaders, {})
    assert.equal(found!.body.totalSize, 1)
    assert.deepEqual(refused, {
      body: [
        {
          message: 'Required fields are missing: [LastName]',
          errorCode: 'REQUIRED_FIELD_MISSING',
          fields: ['LastName'],
        },
      ],
      httpHeaders: {},
      httpStatusCode: 400,
      referenceId: 'r7',
    })
    assert.deepEqual(deleted, { body: null, httpHeaders: {}, httpStatusCode: 204, referenceId: 'r8' })
  })

  test('gives describes and reads their ETag, and honours conditions in httpHeaders, whatever the case of their names', async () => {
    const id = await o.create('Account', { Name: 'Acme' })
    const [described, read] = await fetchResults(o, [
      step('GET', '/sobjects/Account/describe'),
      step('GET', `/sobjects/Account/${id}`),
    ])
    assert.deepEqual(Object.keys(described!.httpHeaders), ['ETag', 'Last-Modified'])
    const { ETag } = read!.httpHeaders
    assert.match(ETag!, /^"[\w-]+"$/)
    const results = await fetchResults(o, [
      {
        ...step('GET', '/sobjects/Account/describe'),
        httpHeaders: { 'If-Modified-Since': described!.httpHeaders['Last-Modified'] },
      },
      { ...step('GET', `/sobjects/Account/${id}`), httpHeaders: { 'IF-NONE-MATCH': ETag } },
      { ...step('PATCH', `/sobjects/Account/${id}`, { Phone: '1' }), httpHeaders: { 'if-match': '"0"' } },
    ])
    assert.deepEqual(statusesOf(results), [304, 304, 412])
    assert.deepEqual(
      results.slice(0, 2).map(({ body }) => body),
      [null, null],
    )
  })

  test('follows the version of each subrequest, which may be any served one', async () => {
    const upsert = (version: string) => ({
      method: 'PATCH',
      url: `/services/data/${version}/sobjects/Specimen__c/Key__c/versions`,
      body: {},
    })
    const results = await fetchResults(o, [
      upsert('v64.0'),
      upsert('v45.0'),
      upsert('v46.0'),
      upsert('latest'),
    ])
    assert.deepEqual(statusesOf(results), [201, 204, 200, 200])
    for (const [version, status, code] of [
      ['v20.0', 410, 'GONE'],
      ['v999.0', 404, 'NOT_FOUND'],
      ['v64.5', 404, 'NOT_FOUND'],
    ] as const) {
      const [result, next] = await fetchResults(o, [upsert(version), upsert('v64.0')])
      assert.equal(result!.httpStatusCode, status)
      assert.equal(result!.body[0].errorCode, code)
      assert.equal(next!.httpStatusCode, 200)
    }
  })

  test('works in every form of its address, and takes collateSubrequests without changing the order', async () => {
    for (const path of ['/composite', '/composite/', '/COMPOSITE', '/services/data/v31.0/composite.json']) {
      const body = {
        collateSubrequests: true,
        compositeRequest: [{ ...create('c'), referenceId: '1create' }],
      }
      const answer = await o.call('POST', path, { body })
      assert.equal(answer.body.compositeResponse[0].httpStatusCode, 201, answer.text)
    }
  })

  test('lists the calls that are made of calls', async () => {
    assert.deepEqual((await o.call('GET', '/composite/')).body, {
      tree: `${V64}/composite/tree`,
      batch: `${V64}/composite/batch`,
      sobjects: `${V64}/composite/sobjects`,
      graph: `${V64}/composite/graph`,
    })
    assert.equal((await o.call('GET', '')).body.composite, `${V64}/composite`)
    const old = (await o.call('GET', '/services/data/v33.0/composite')).body
    assert.deepEqual(old, {})
  })
})

describe('allOrNone true', () => {
  test('keeps everything when every subrequest succeeds; later ones see what earlier ones wrote', async () => {
    const [, found] = await fetchResults(
      o,
      [create('all-1'), step('GET', "/query?q=SELECT Id FROM Specimen__c WHERE Name = 'all-1'")],
      { allOrNone: true },
    )
    assert.equal(found!.body.totalSize, 1)
    assert.deepEqual(await specimens('all-'), ['all-1'])
  })

  test('rolls back all when one fails: it keeps its own answer, every other one before and after is halted', async () => {
    const id = await o.create('Specimen__c', { Name: 'old', Text__c: 'kept' })
    const steps = [
      create('none-1'),
      step('PATCH', `/sobjects/Specimen__c/${id}`, { Text__c: 'changed' }),
      step('GET', '/query?q=SELECT Id FROM Specimen__c'),
      create('none-2', { Wrong__c: 1 }),
      create('none-3'),
      step('DELETE', `/sobjects/Specimen__c/${id}`),
    ]
    const results = await fetchResults(o, steps, { allOrNone: true })
    for (const [index, { referenceId, ...result }] of results.entries()) {
      if (index !== 3) assert.deepEqual(result, ROLLED_BACK)
    }
    assert.equal(results[3]!.body[0].message, "No such column 'Wrong__c' on sobject of type Specimen__c")
    assert.deepEqual(await specimens('none-'), [])
    assert.equal((await o.call('GET', `/sobjects/Specimen__c/${id}`)).body.Text__c, 'kept')
  })

  test('counts an upsert that several records match as failed, for it changed nothing', async () => {
    for (let i = 0; i < 2; i++) await o.create('Specimen__c', { Loose__c: 'twin' })
    const results = await fetchResults(
      o,
      [create('several-1'), step('PATCH', '/sobjects/Specimen__c/Loose__c/twin', { Text__c: 'x' })],
      { allOrNone: true },
    )
    assert.deepEqual(statusesOf(results), [400, 300])
    assert.deepEqual(await specimens('several-'), [])
  })

  test('rolls back for a failure of any kind: unknown object, wrong method, retired version, lost reference', async () => {
    for (const wrong of [
      step('POST', '/sobjects/Nothing__c', {}),
      step('PUT', '/sobjects/Specimen__c', {}),
      { method: 'GET', url: '/services/data/v20.0/sobjects' },
      step('GET', '/sobjects/Specimen__c/@{nobody.id}'),
      step('GET', '/query?q=SELECT'),
      step('GET', '/limits'),
    ]) {
      const results = await fetchResults(o, [create('any-1'), wrong, create('any-2')], { allOrNone: true })
      const { referenceId, ...last } = results[2]!
      assert.deepEqual(last, ROLLED_BACK)
      assert.notDeepEqual(results[1]!.body, ROLLED_BACK.body)
    }
    assert.deepEqual(await specimens('any-'), [])
  })

  test('does not fail for a record that the caller has already', async () => {
    const id = await o.create('Account', { Name: 'Acme' })
    const unchanged = {
      ...step('GET', `/sobjects/Account/${id}`),
      httpHeaders: { 'If-Modified-Since': new Date(Date.now() + 60_000).toUTCString() },
    }
    const results = await fetchResults(o, [unchanged, create('cached')], { allOrNone: true })
    assert.deepEqual(statusesOf(results), [304, 201])
  })
})

describe('allOrNone false, or nothing said', () => {
  test('makes each subrequest independent: what fails changes nothing, the others stay', async () => {
    for (const [allOrNone, prefix] of [
      [false, 'each'],
      [undefined, 'default'],
    ] as const) {
      const steps = [create(`${prefix}-1`), create(`${prefix}-2`, { Flag__c: 'x' }), create(`${prefix}-3`)]
      assert.deepEqual(statusesOf(await fetchResults(o, steps, { allOrNone })), [201, 400, 201])
      assert.deepEqual(await specimens(`${prefix}-`), [`${prefix}-1`, `${prefix}-3`])
    }
  })
})

describe('a subrequest may be', () => {
  test('anything below /sobjects, a query, a queryAll and their pages', async () => {
    const results = await fetchResults(o, [
      step('GET', '/sobjects'),
      step('GET', '/sobjects/account'),
      step('GET', '/sobjects/Account/describe/'),
      step('POST', '/sobjects/Specimen__c/Id', {}),
      step('GET', '/query/?q=SELECT+Id+FROM+Account'),
      step('GET', '/queryAll?q=SELECT+Id+FROM+Account'),
      step('GET', '/query/0r8OB00000000WGYAY-2000'),
    ])
    assert.deepEqual(statusesOf(results), [200, 200, 200, 201, 200, 200, 400])
    assert.equal(results[6]!.body[0].errorCode, 'INVALID_QUERY_LOCATOR')
  })

  test('nothing else; that one is refused, the others are carried out', async () => {
    const urls = [
      '/',
      '/search?q=FIND',
      '/limits',
      '/composite',
      '/composite/batch',
      '/composite/tree/Account',
    ]
    for (const path of [...urls, '/composite/graph', '/tools/query?q=x', '/nothing', '/sobjectsX']) {
      const [refused, next] = await fetchResults(o, [
        step(path.startsWith('/composite') ? 'POST' : 'GET', path, {}),
        create('next'),
      ])
      const url = `${V64}${path.split('?')[0]}`
      assertHalted(refused!, `The requested resource is not supported in a composite request: ${url}`)
      assert.equal(next!.httpStatusCode, 201)
    }
  })

  test('sent to this server by its whole address, with two slashes at its start, a slash at the end, raw blanks', async () => {
    const id = await o.create('Specimen__c', { Name: 'addressed' })
    const path = `/services/data/v64.0/sobjects/Specimen__c/${id}`
    for (const url of [
      path,
      `http://localhost:80${path}`,
      `https://LOCALHOST${path}/`,
      `/${path}`,
      `${path}.json`,
    ]) {
      const [result] = await fetchResults(o, [{ method: 'GET', url }])
      assert.equal(result!.httpStatusCode, 200, url)
    }
    const [nowhere] = await fetchResults(o, [step('GET', `/sobjects//Specimen__c/${id}`)])
    assert.equal(nowhere!.httpStatusCode, 404)
    const query = step('GET', "/query?q=SELECT Name FROM Specimen__c WHERE Name = 'addressed'")
    const [found] = await fetchResults(o, [query])
    assert.equal(found!.body.totalSize, 1)
  })

  test('a GET or DELETE with a body that is not looked at, but no other method by _HttpMethod', async () => {
    const id = await o.create('Specimen__c', {})
    const results = await fetchResults(o, [
      step('GET', `/sobjects/Specimen__c/${id}`, 'nonsense'),
      step('POST', `/sobjects/Specimen__c/${id}?_HttpMethod=PATCH`, { Text__c: 'x' }),
      step('DELETE', `/sobjects/Specimen__c/${id}`, { a: 1 }),
    ])
    assert.deepEqual(statusesOf(results), [200, 405, 204])
    assert.deepEqual(results[1]!.httpHeaders, {})
  })

  test('given the options of a query', async () => {
    const id = await o.create('Account', { Name: 'pages' })
    for (let i = 0; i < 201; i += 1) await o.create('Specimen__c', { Account__c: id })
    const query = step('GET', `/query?q=SELECT Id FROM Specimen__c WHERE Account__c = '${id}'`)
    const [page] = await fetchResults(o, [
      { ...query, httpHeaders: { 'Svc-Query-Options': 'batchSize=200' } },
    ])
    assert.equal(page!.body.records.length, 200)
    const [next] = await fetchResults(o, [{ method: 'GET', url: page!.body.nextRecordsUrl }])
    assert.equal(next!.body.records.length, 1)
  })
})

describe('the same call', () => {
  test('is refused as a step as it is as a call', async () => {
    const id = await o.create('Specimen__c', { Key__c: 'same', Text__c: 'kept' })
    const path = `/sobjects/Specimen__c/${id}`
    const calls: readonly (readonly [string, string, unknown?])[] = [
      ['POST', '/sobjects/Nothing__c', {}],
      ['GET', '/sobjects/Nothing__c/describe'],
      ['GET', '/sobjects/Account/no-id'],
      ['GET', `/sobjects/Account/${id}`],
      ['GET', `${path.slice(0, -4)}zzzz`],
      ['GET', `${path}?fields=Nothing__c`],
      ['GET', `${path}/a/b/c/d`],
      ['PATCH', path, { Text__c: 'x'.repeat(41) }],
      ['PATCH', path, { Flag__c: 'perhaps' }],
      ['PATCH', path, { Count__c: 'many' }],
      ['PATCH', path, { Account__c: id }],
      ['PATCH', path, { CreatedDate: '2024-01-01T00:00:00Z' }],
      ['PATCH', path, { Id: id }],
      ['POST', path, {}],
      ['PUT', path, {}],
      ['DELETE', '/sobjects/Specimen__c'],
      ['POST', '/sobjects/Specimen__c', { Key__c: 'same' }],
      ['POST', '/sobjects/Contact', { FirstName: 'Ada' }],
      ['POST', '/sobjects/Contact', { LastName: 'L', Email: 'no email' }],
      ['POST', '/sobjects/Specimen__c'],
      ['PATCH', '/sobjects/Specimen__c/Key__c/same', { Key__c: 'same' }],
      ['PATCH', '/sobjects/Specimen__c/Text__c/x', {}],
      ['PATCH', '/sobjects/Specimen__c/Key__c/other?updateOnly=true', {}],
      ['DELETE', '/sobjects/Specimen__c/Key__c/nobody'],
      ['GET', '/query'],
      ['GET', '/query?q=SELECT%20Nothing%20FROM%20Account'],
      ['GET', '/query?q=SELECT'],
      ['POST', '/query?q=SELECT%20Id%20FROM%20Account', {}],
      ['GET', '/sobjects/%'],
    ]
    for (const [method, url, body] of calls) {
      const direct = await o.call(method, url, { body })
      assert.ok(direct.status >= 400, url)
      for (const allOrNone of [true, false]) {
        const [inside] = await fetchResults(o, [step(method, url, body)], { allOrNone })
        const refusals = [inside!.body, direct.body].map((body) =>
          JSON.stringify(body).replace(/column:\d+/, 'column:n'),
        )
        assert.equal(inside!.httpStatusCode, direct.status, url)
        assert.equal(refusals[0], refusals[1], url)
      }
    }
    assert.equal((await o.call('GET', path)).body.Text__c, 'kept')
  })

  test('reports where in the text of the whole composite a value of a wrong kind is', async () => {
    const text = `{"compositeRequest":[
      {"method":"POST","url":"${V64}/sobjects/Specimen__c","referenceId":"a","body":{"Name":"first"}},
      {"method":"POST","url":"${V64}/sobjects/Specimen__c","referenceId":"b","body":{
        "Name":"@{a.id}",
        "Count__c":[1]}},
      {"method":"PATCH","url":"${V64}/sobjects/Specimen__c/@{a.id}","referenceId":"c","body":{
        "Count__c":"@{a.success}"}},
      {"method":"POST","url":"${V64}/sobjects/Specimen__c","referenceId":"d","body":7}]}`
    const { body } = await o.call('POST', '/composite', { text })
    const messages = body.compositeResponse
      .slice(1)
      .map((result: { body: [{ message: string }] }) => result.body[0].message)
    assert.match(
      messages[0],
      /^Cannot deserialize instance of int from START_ARRAY value \[ .* at \[line:5, column:20\]$/,
    )
    // A reference is a text that the field reads its value from.
    assert.match(messages[1], /int from VALUE_STRING value true .* at \[line:7, column:20\]$/)
    assert.match(messages[2], /instance of Specimen__c from VALUE_NUMBER_INT value 7 .* at \[line:8, column:/)
  })
})

describe('too many subrequests', () => {
  const refusal = (message: string) => ({
    compositeResponse: [
      {
        body: [{ errorCode: 'LIMIT_EXCEEDED', message, fields: [] }],
        httpHeaders: {},
        httpStatusCode: 400,
        referenceId: null,
      },
    ],
  })

  test('are those above 25', async () => {
    const creates = (count: number) => Array.from({ length: count }, (_, i) => create(`many-${i}`))
    const refused = await post(o, creates(26))
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body, refusal('The request can’t contain more than 25 operations.'))
    assert.deepEqual(await specimens('many-'), [])
    const results = await fetchResults(o, creates(25))
    assert.deepEqual(statusesOf(results), Array(25).fill(201))
  })

  test('are those above five queries and collections, together', async () => {
    const query = step('GET', '/query?q=SELECT Id FROM Account')
    const more = [
      step('GET', '/QueryAll/?q=x'),
      step('GET', '/%71uery/0r8-2000'),
      step('DELETE', '/composite/sobjects?ids='),
    ]
    for (const last of [query, ...more]) {
      const refused = await post(o, [create('six'), ...Array(5).fill(query), last])
      assert.equal(refused.status, 400)
      assert.deepEqual(
        refused.body,
        refusal('The request can’t contain more than 5 Query/Collection operations.'),
      )
    }
    assert.deepEqual(await specimens('six'), [])
    assert.deepEqual(statusesOf(await fetchResults(o, Array(5).fill(query))), Array(5).fill(200))
  })
})

describe('an envelope that is wrong', () => {
  const one = {
    method: 'POST',
    url: `${V64}/sobjects/Specimen__c`,
    referenceId: 'a',
    body: { Name: 'wrong' },
  }
  const list = (...steps: unknown[]) => ({ compositeRequest: [one, ...steps] })
  const urlMessage = (url: string) =>
    `The url must begin with /services/data/vXX.X/, not '${url}' at [line:1, column:`

  const CASES: readonly (readonly [unknown, string])[] = [
    [{}, 'Required field "compositeRequest" is missing at [line:1, column:1]'],
    [{ compositeRequest: null }, 'Required field "compositeRequest" is missing at [line:1, column:1]'],
    [{ compositeRequest: [] }, 'The list "compositeRequest" is empty at [line:1, column:21]'],
    [{ compositeRequest: one }, 'Cannot deserialize instance of list from START_OBJECT value {'],
    [list('x'), 'Cannot deserialize instance of object from VALUE_STRING value x'],
    [list(null), 'Cannot deserialize instance of object from VALUE_NULL value null'],
    [[one], 'Cannot deserialize instance of object from START_ARRAY value ['],
    [{ ...list(), allOrNone: 'true' }, 'Cannot deserialize instance of boolean from VALUE_STRING value true'],
    [
      { ...list(), collateSubrequests: 1 },
      'Cannot deserialize instance of boolean from VALUE_NUMBER_INT value 1',
    ],
    [{ ...list(), allornone: true }, 'Unrecognized field "allornone" at [line:1, column:'],
    [list({ ...one, referenceId: 'b', richInput: {} }), 'Unrecognized field "richInput" at [line:1, column:'],
    [list({ ...one, referenceId: undefined }), 'Required field "referenceId" is missing at [line:1, column:'],
    [
      list({ ...one, method: undefined, referenceId: 'b' }),
      'Required field "method" is missing at [line:1, column:',
    ],
    [
      list({ ...one, url: undefined, referenceId: 'b' }),
      'Required field "url" is missing at [line:1, column:',
    ],
    [list({ ...one, referenceId: 7 }), 'Cannot deserialize instance of string from VALUE_NUMBER_INT value 7'],
    [
      list({ ...one, method: 'post', referenceId: 'b' }),
      "The method 'post' is none of DELETE, GET, PATCH, POST, PUT at [line:1, column:",
    ],
    [list({ ...one, method: 'HEAD', referenceId: 'b' }), "The method 'HEAD' is none of "],
    ...[
      '/sobjects/Account',
      'services/data/v64.0/sobjects',
      '/services/data/64/x',
      '/services/data/vABC/x',
      'http://elsewhere.example/services/data/v64.0/sobjects',
      'http://localhost@elsewhere.example/services/data/v64.0/sobjects',
      'ftp://localhost/services/data/v64.0/x',
      '',
      '/services/data/@{a.id}/sobjects',
      '@{a.id}',
    ].map((url) => [list({ ...one, url, referenceId: 'b' }), urlMessage(url)] as const),
    [
      list({ ...one, url: `${V64}/@{a.id}/x`, referenceId: 'b' }),
      'A reference cannot name the resource of a url at [line:1, column:',
    ],
    [
      list({ ...one, url: `${V64}/composite/%40%7Ba.id}`, referenceId: 'b' }),
      'A reference cannot name the resource of a url at ',
    ],
    [
      list({ ...one, url: `${V64}/query?q=${'a'.repeat(1_000_000)}`, referenceId: 'b' }),
      'The url is longer than 1000000 characters at ',
    ],
    [
      list({ ...one, url: `${V64}/${'a/'.repeat(20_000)}`, referenceId: 'b' }),
      'The path of the url is longer than 8192 characters at ',
    ],
    [
      list({ ...one, url: `${V64}/limits?${'a&'.repeat(200)}`, referenceId: 'b' }),
      'The url has more than 200 parameters at ',
    ],
    [list(one), 'Duplicate referenceId found: a'],
    ...['ref[1]', 'a b', 'a-b', '_a', 'ä', '', 'a.b', 'a\n'].map(
      (id) =>
        [
          list({ ...one, referenceId: id }),
          `Provided referenceId ('${id}') must start with a letter or a number, and it can contain only letters, numbers and underscores ('_').`,
        ] as const,
    ),
    ...['Accept', 'authorization', 'CONTENT-TYPE'].map(
      (name) =>
        [
          list({ ...one, referenceId: 'b', httpHeaders: { [name]: 'x' } }),
          `The header ${name.toLowerCase()} cannot be set for a subrequest at [line:1, column:`,
        ] as const,
    ),
    [
      list({ ...one, referenceId: 'b', httpHeaders: { 'If-Match': 7 } }),
      'Cannot deserialize instance of string from VALUE_NUMBER_INT value 7',
    ],
    [
      list({ ...one, referenceId: 'b', httpHeaders: [] }),
      'Cannot deserialize instance of object from START_ARRAY value [',
    ],
  ]

  for (const [body, message] of CASES) {
    test(`is refused as a whole before anything runs: ${message.slice(0, 90).replaceAll('\n', ' ')}`, async () => {
      const answer = await o.call('POST', '/composite', { body })
      const shown = answer.body?.[0]?.message
      assertRefused(answer, 400, 'JSON_PARSER_ERROR', shown)
      assert.ok(shown.startsWith(message), shown)
    })
  }

  test('has changed nothing', async () => {
    assert.deepEqual(await specimens('wrong'), [])
  })

  test('no body and no JSON are refused as everywhere', async () => {
    const empty = 'The HTTP entity body is required, but this request has no entity body.'
    assertRefused(await o.call('POST', '/composite'), 400, 'JSON_PARSER_ERROR', empty)
    assertRefused(
      await o.call('POST', '/composite', { text: '{"a' }),
      400,
      'JSON_PARSER_ERROR',
      /end-of-input/,
    )
    assertRefused(
      await o.call('PUT', '/composite', { body: {} }),
      405,
      'METHOD_NOT_ALLOWED',
      /Allowed are GET,HEAD,POST$/,
    )
  })

  test('before 52.0 a referenceId of other characters is taken; nobody can refer to it', async () => {
    const steps = [
      { ...create('named'), referenceId: 'ref[1]' },
      { ...create('@{ref[1].id}'), referenceId: 'b' },
    ]
    const [first, second] = await fetchResults(o, steps, { version: '51.0' })
    assert.equal(first!.httpStatusCode, 201)
    assert.equal(second!.body[0].errorCode, 'PROCESSING_HALTED')
  })

  test('referenceID is taken for referenceId', async () => {
    const body = { compositeRequest: [{ ...create('id'), referenceId: undefined, referenceID: 'x' }] }
    const answer = await o.call('POST', '/composite', { body })
    assert.equal(answer.body.compositeResponse[0].referenceId, 'x')
  })
})
