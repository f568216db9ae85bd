import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchUiapi, sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Requests, and their refusals. (docs/reference/api/graphql.md#endpoint, docs/reference/api/graphql.md#errors, docs/reference/api/graphql.md#limits) */

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.create('Account', { Name: 'Acme' })
})

const PATH = '/services/data/v66.0/graphql'

/** The one error of a document that is not carried out. */
async function refusal(text: string, variables?: Record<string, unknown>) {
  const { data, errors } = await sendDocument(o, text, { variables })
  assert.deepEqual(data, {})
  assert.ok(errors.length > 0)
  return errors[0]! as (typeof errors)[number] & { path: unknown; locations: unknown }
}

describe('the answer', () => {
  test('has data and errors, errors empty when all went well', async () => {
    const query = '{ uiapi { query { Account { edges { node { Name { value } } } } } } }'
    const { status, body, headers } = await o.call('POST', PATH, { body: { query } })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      data: { uiapi: { query: { Account: { edges: [{ node: { Name: { value: 'Acme' } } }] } } } },
      errors: [],
    })
    assert.match(String(headers['content-type']), /^application\/json/)
  })

  test('can be indented', async () => {
    const body = { query: '{ uiapi { query { Account { totalCount } } } }' }
    const { text } = await o.call('POST', PATH, { body, headers: { 'x-prettyprint': '1' } })
    assert.match(text, /\n {2}"data" : \{\n/)
  })

  test('keeps the parts that did not fail; an error says where it happened', async () => {
    const { data, errors } = await sendDocument(
      o,
      '{ uiapi { query { bad: Account(first: 0) { totalCount } Account { totalCount } } } }',
    )
    assert.deepEqual(data, { uiapi: { query: { bad: null, Account: { totalCount: 1 } } } })
    assert.deepEqual(errors, [
      {
        message: 'first must be between 1 and 2000',
        locations: [{ line: 1, column: 19 }],
        paths: ['uiapi', 'query', 'bad'],
        path: ['uiapi', 'query', 'bad'],
        extensions: { ErrorType: 'DataFetchingException' },
      },
    ])
  })
})

describe('a request', () => {
  test('is a POST of JSON with a query', async () => {
    const get = await o.call('GET', PATH)
    assert.deepEqual(
      [get.status, get.body[0].errorCode, get.headers.allow],
      [405, 'METHOD_NOT_ALLOWED', 'POST'],
    )
    for (const text of [
      '',
      '{}',
      '{"query": 5}',
      '{"query": null}',
      '[]',
      '{"query": "{',
      '{"query":"{a}","variables":[]}',
      '{"query":"{a}","other":1}',
    ]) {
      const { status, body } = await o.call('POST', PATH, {
        text,
        headers: { 'content-type': 'application/json' },
      })
      assert.deepEqual([status, body[0].errorCode], [400, 'JSON_PARSER_ERROR'], text)
    }
  })

  test('needs a token', async () => {
    const headers = { authorization: '' }
    const { status, body } = await o.call('POST', PATH, { body: { query: '{ uiapi }' }, headers })
    assert.deepEqual([status, body[0].errorCode], [401, 'INVALID_AUTH_HEADER'])
  })

  test('is known from version 56 on', async () => {
    const { status } = await o.call('POST', '/services/data/v55.0/graphql', {
      body: { query: '{ __typename }' },
    })
    assert.equal(status, 404)
    assert.equal((await o.call('GET', '/services/data/v55.0/')).body.graphql, undefined)
    assert.equal((await o.call('GET', '/services/data/v66.0/')).body.graphql, PATH)
    assert.deepEqual((await sendDocument(o, '{ __typename }', { version: 56 })).data, { __typename: 'Query' })
  })

  test('is no step of a composite', async () => {
    const step = { method: 'POST', url: PATH, referenceId: 'g', body: { query: '{ __typename }' } }
    const { body } = await o.call('POST', '/composite', { body: { compositeRequest: [step] } })
    assert.equal(body.compositeResponse[0].body[0].errorCode, 'PROCESSING_HALTED')
  })

  test('may have null for what it does not use, and extensions', async () => {
    const body = { query: '{ __typename }', operationName: null, variables: null, extensions: { a: 1 } }
    assert.deepEqual((await o.call('POST', PATH, { body })).body, {
      data: { __typename: 'Query' },
      errors: [],
    })
  })
})

describe('a document', () => {
  test('that cannot be parsed is InvalidSyntax', async () => {
    const { message, locations, extensions } = await refusal('{ uiapi { query { Account( } }')
    assert.equal(extensions.ErrorType, 'InvalidSyntax')
    assert.match(message, /^Invalid syntax with offending token '}' at line 1 column 28/)
    assert.deepEqual(locations, [{ line: 1, column: 28 }])
    for (const text of [
      '',
      '   ',
      '{',
      '}',
      'query',
      '{ a(b: ") }',
      '{ a # }',
      '\u0000',
      '{ a(b: "\\u12") }',
    ]) {
      assert.equal((await refusal(text)).extensions.ErrorType, 'InvalidSyntax', text)
    }
  })

  test('that names what is not there is a ValidationError', async () => {
    const { message, locations } = await refusal(
      '{ uiapi { query { Account { edges { node { Foo { value } } } } } } }',
    )
    assert.equal(
      message,
      "Validation error (FieldUndefined@[uiapi/query/Account/edges/node/Foo]) : Field 'Foo' in type 'Account' is undefined",
    )
    assert.deepEqual(locations, [{ line: 1, column: 44 }])
    for (const text of [
      '{ uiapi { query { Nope { totalCount } } } }',
      '{ uiapi { query { account { totalCount } } } }',
      '{ uiapi { query { Account(last: 3) { totalCount } } } }',
      '{ uiapi { query { Account(first: "3") { totalCount } } } }',
      '{ uiapi { query { Account(where: {name: {eq: "x"}}) { totalCount } } } }',
      '{ uiapi { query { Account { edges { node { Name } } } } } }',
      '{ uiapi { query { Account { edges { node { Id { value } } } } } } }',
      '{ uiapi { query { Account { ...missing } } } }',
      'query($w: Nope_Filter) { uiapi { query { Account(where: $w) { totalCount } } } }',
      '{ uiapi { query { Account @nope { totalCount } } } }',
      'fragment f on Account { Id } { uiapi { query { Account { totalCount } } } }',
      '{ uiapi { query { Account(first: $n) { totalCount } } } }',
      'type A { b: Int }',
    ]) {
      assert.equal((await refusal(text)).extensions.ErrorType, 'ValidationError', text)
    }
  })

  test('that has a variable of the wrong kind is a ValidationError', async () => {
    const text =
      'query($variables: Account_Filter!, $n: Int) { uiapi { query { Account(where: $variables, first: $n) { totalCount } } } }'
    const broken = await refusal(text, { variables: { broken: { eq: 'x' } } })
    assert.match(
      broken.message,
      /^The variables input contains a field name 'broken' that is not defined for input object type 'Account_Filter'/,
    )
    for (const variables of [
      {},
      { variables: null },
      { variables: { Name: 5 } },
      { variables: {}, n: 1.5 },
      { variables: {}, n: '1' },
    ]) {
      assert.equal(
        (await refusal(text, variables)).extensions.ErrorType,
        'ValidationError',
        JSON.stringify(variables),
      )
    }
  })

  test('that calls a variable as JavaScript calls its prototype gives the others no values', async () => {
    const text = `query($__proto__: Account_Filter, $Name: StringOperators, $Phone: Account_Filter) { uiapi { query {
      a: Account(where: $__proto__) { totalCount } b: Account(where: {Name: $Name}) { totalCount } c: Account(where: $Phone) { totalCount } } } }`
    // As text: JavaScript would write the prototype and not the member.
    const variables = '{"__proto__": {"Name": {"eq": "nobody"}, "Phone": {"eq": "1"}}}'
    const body = `{"query": ${JSON.stringify(text)}, "variables": ${variables}}`
    const answer = await o.call('POST', PATH, { text: body, headers: { 'content-type': 'application/json' } })
    assert.equal(answer.status, 200)
    const [none, all] = [{ totalCount: 0 }, { totalCount: 1 }]
    assert.deepEqual(answer.body, { data: { uiapi: { query: { a: none, b: all, c: all } } }, errors: [] })
  })

  test('of several operations says which one is meant', async () => {
    const text = 'query A { uiapi { query { Account { totalCount } } } } query B { __typename }'
    assert.equal((await refusal(text)).extensions.ErrorType, 'OperationNotSupported')
    const { data, errors } = await sendDocument(o, text, { operationName: 'C' })
    assert.deepEqual([data, errors[0]!.extensions.ErrorType], [{}, 'OperationNotSupported'])
    assert.deepEqual((await sendDocument(o, text, { operationName: 'B' })).data, { __typename: 'Query' })
    assert.equal((await refusal('subscription { a }')).extensions.ErrorType, 'OperationNotSupported')
    assert.equal((await refusal('fragment f on Account { Id }')).extensions.ErrorType, 'ValidationError')
  })

  test('is never too large, too deep or too tangled to be refused', async () => {
    const deep = (open: string, close: string, n: number) => open.repeat(n) + close.repeat(n)
    const cycle =
      '{ uiapi { query { Account { ...a } } } } fragment a on AccountConnection { ...b } fragment b on AccountConnection { ...a }'
    const doubling = Array.from(
      { length: 30 },
      (_, i) => `fragment f${i} on Account { a: Parent { ...f${i + 1} } b: Parent { ...f${i + 1} } }`,
    )
    for (const text of [
      deep('{ a ', '}', 5000),
      `{ uiapi { query { Account(where: ${deep('{not: ', '}', 3000)}) { totalCount } } } }`,
      `{ uiapi { query { Account(where: {and: ${deep('[', ']', 3000)}}) { totalCount } } } }`,
      `{ uiapi { query { Account { ${'totalCount '.repeat(20_000)} } } } }`,
      `{ uiapi { query { Account { ${'edges { node { Id } } '.repeat(1500)} } } } }`,
      cycle,
      `{ uiapi { query { Account { edges { node { ...f0 } } } } } } ${doubling.join(' ')} fragment f30 on Account { Id }`,
      `{ ${Array.from({ length: 11 }, (_, i) => `a${i}: __schema { types { name } }`).join(' ')} }`,
    ]) {
      await refusal(text)
    }
    assert.match(
      (await refusal(`{ uiapi ${'\n'.repeat(100_000)} }`)).message,
      /longer than 100000 characters/,
    )
    assert.match(
      (await refusal(`{ ${'a'.repeat(256)}: uiapi { query } }`)).message,
      /A name is longer than 255/,
    )
    let nested: object = {}
    for (let i = 0; i < 300; i++) nested = { not: nested }
    const text = 'query($w: Account_Filter) { uiapi { query { Account(where: $w) { totalCount } } } }'
    assert.match((await refusal(text, { w: nested })).message, /nested deeper than 100 levels/)
  })
})

describe('directives and fragments', () => {
  const totals = 'query($yes: Boolean!, $no: Boolean = false) { uiapi { query'

  test('leave out and include', async () => {
    const text = `${totals} { a: Account @include(if: $yes) { totalCount } b: Account @skip(if: $yes) { totalCount }
      ... @include(if: $no) { c: Account { totalCount } } ...f @skip(if: $no) } } } fragment f on RecordQuery { d: Account { totalCount } }`
    const one = { totalCount: 1 }
    assert.deepEqual((await fetchUiapi(o, text, { variables: { yes: true } })).query, { a: one, d: one })
    assert.deepEqual((await fetchUiapi(o, text, { variables: { yes: false, no: true } })).query, {
      b: one,
      c: one,
    })
  })

  test('@optional drops what is not there, and keeps what is, from version 65 on', async () => {
    const text =
      '{ uiapi { query { Account { edges { node { Id Name @optional { value } Foo @optional { value bar { baz } } Bars @optional { totalCount } } } } Nope @optional { totalCount } } } }'
    const { query } = await fetchUiapi(o, text)
    assert.deepEqual(Object.keys(query), ['Account'])
    assert.deepEqual(Object.keys(query.Account.edges[0].node), ['Id', 'Name'])
    const { errors } = await sendDocument(o, text, { version: 64 })
    assert.equal(errors[0]!.extensions.ErrorType, 'ValidationError')
  })

  test('fragments of records and of what all records have', async () => {
    const text = `{ uiapi { query { Account { edges { node { ...of ...any ... on Record { WeakEtag } } } } } } }
      fragment of on Account { Name { ...text } } fragment any on Record { Id ApiName } fragment text on StringValue { value label }`
    const { query } = await fetchUiapi(o, text)
    const { Name, ApiName, Id, WeakEtag } = query.Account.edges[0].node
    assert.deepEqual([Name, ApiName], [{ value: 'Acme', label: 'Acme' }, 'Account'])
    assert.ok(Id && WeakEtag > 0)
  })

  test('__typename names every level', async () => {
    const text =
      '{ __typename uiapi { __typename query { __typename Account { __typename pageInfo { __typename } edges { __typename node { __typename BillingAddress { __typename city { __typename } } } } } } } }'
    const { data } = await sendDocument(o, text)
    assert.match(
      JSON.stringify(data),
      /"Query".*"UIAPI".*"RecordQuery".*"AccountConnection".*"PageInfo".*"AccountEdge".*"Account".*"AddressValue".*"StringValue"/,
    )
  })
})
