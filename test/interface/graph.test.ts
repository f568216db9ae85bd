import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import {
  assertHalted,
  named,
  type Result,
  ROLLED_BACK,
  type Subrequest,
  statusesOf,
  step,
} from '../support/composite.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy([SPECIMEN])
})

interface Graph {
  readonly graphId: string
  readonly graphResponse: { readonly compositeResponse: readonly Result[] }
  readonly isSuccessful: boolean
}

const graph = (graphId: unknown, ...steps: readonly Subrequest[]) => ({
  graphId,
  compositeRequest: named(steps),
})
const send = (...graphs: unknown[]) => o.call('POST', '/composite/graph', { body: { graphs } })

/** The graphs of a call that is answered with 200. */
async function sendGraphs(...graphs: unknown[]): Promise<readonly Graph[]> {
  const answer = await send(...graphs)
  assert.equal(answer.status, 200, answer.text.slice(0, 500))
  assert.deepEqual(Object.keys(answer.body), ['graphs'])
  return answer.body.graphs
}

const create = (Name: string, more: object = {}, referenceId?: string) =>
  step('POST', '/sobjects/Specimen__c', { Name, ...more }, referenceId)
const bad = () => create('bad', { Nothing__c: 1 })
const specimens = (prefix: string) => fetchNames(o, `Specimen__c WHERE Name LIKE '${prefix}%' ORDER BY Name`)
const successes = (graphs: readonly Graph[]) => graphs.map(({ isSuccessful }) => isSuccessful)
const resultsIn = ({ graphResponse }: Graph) => graphResponse.compositeResponse

describe('composite graphs', () => {
  test('are each all or nothing by itself, and independent of each other', async () => {
    const graphs = await sendGraphs(
      graph('1', create('one-1', {}, 'a'), create('one-2', { Text__c: '@{a.id}' })),
      graph('2', create('two-1'), bad(), create('two-2')),
      graph('3', create('three-1', {}, 'a')),
    )
    assert.deepEqual(
      graphs.map(({ graphId }) => graphId),
      ['1', '2', '3'],
    )
    assert.deepEqual(successes(graphs), [true, false, true])
    const { id } = resultsIn(graphs[0]!)[0]!.body
    assert.deepEqual(resultsIn(graphs[0]!)[0], {
      body: { id, success: true, errors: [] },
      httpHeaders: { Location: `/services/data/v64.0/sobjects/Specimen__c/${id}` },
      httpStatusCode: 201,
      referenceId: 'a',
    })
    assert.deepEqual(Object.keys(graphs[0]!), ['graphId', 'graphResponse', 'isSuccessful'])
    const [before, failed, after] = resultsIn(graphs[1]!)
    for (const { referenceId, ...halted } of [before!, after!]) assert.deepEqual(halted, ROLLED_BACK)
    assert.equal(failed!.body[0].errorCode, 'INVALID_FIELD')
    assert.deepEqual(await specimens('one'), ['one-1', 'one-2'])
    assert.deepEqual(await specimens('two'), [])
    assert.deepEqual(await specimens('three'), ['three-1'])
  })

  test('take records by id and by key: create, read, update, upsert, delete', async () => {
    const [one] = await sendGraphs(
      graph(
        'crud',
        create('crud', { Key__c: 'crud' }, 'a'),
        step('GET', '/sobjects/Specimen__c/@{a.id}'),
        step('PATCH', '/sobjects/Specimen__c/@{a.id}', { Text__c: 'x' }),
        step('PATCH', '/sobjects/Specimen__c/Key__c/crud', { Text__c: 'y' }),
        step('GET', '/sobjects/Specimen__c/Key__c/crud'),
        step('POST', '/sobjects/Specimen__c/Id', {}, 'b'),
        step('DELETE', '/sobjects/Specimen__c/@{b.id}'),
        step('DELETE', '/sobjects/Specimen__c/Key__c/crud'),
      ),
    )
    assert.deepEqual(statusesOf(resultsIn(one!)), [201, 200, 204, 200, 200, 201, 204, 204])
  })

  test('take nothing else', async () => {
    for (const [method, path] of [
      ['GET', '/sobjects'],
      ['GET', '/sobjects/Account'],
      ['GET', '/sobjects/Account/describe'],
      ['GET', '/query'],
      ['GET', '/search'],
      ['DELETE', '/composite/sobjects'],
      ['POST', '/composite'],
      ['POST', '/composite/graph'],
      ['GET', '/'],
    ] as const) {
      const [one] = await sendGraphs(graph('g', step(method, path, {}), create('other')))
      assert.equal(one!.isSuccessful, false)
      const message = `The requested resource is not supported in a composite graph request: /services/data/v64.0${path}`
      assertHalted(resultsIn(one!)[0]!, message)
    }
    const [put] = await sendGraphs(graph('g', step('PUT', '/sobjects/Account', {})))
    assert.deepEqual(statusesOf(resultsIn(put!)), [405])
    assert.deepEqual(await specimens('other'), [])
  })

  test('run a step behind those that it refers to, and answer in the order of the request', async () => {
    const [one] = await sendGraphs(
      graph(
        'g',
        create('back-3', { Text__c: '@{two.id}' }, 'three'),
        step('PATCH', '/sobjects/Specimen__c/@{three.id}', { Area__c: '@{one.id}' }, 'four'),
        create('back-1', {}, 'one'),
        create('back-2', { Text__c: '@{one.id}' }, 'two'),
      ),
    )
    assert.equal(one!.isSuccessful, true, JSON.stringify(one))
    assert.deepEqual(
      resultsIn(one!).map(({ referenceId }) => referenceId),
      ['three', 'four', 'one', 'two'],
    )
    assert.deepEqual(await specimens('back'), ['back-1', 'back-2', 'back-3'])
  })

  test('whose steps refer to each other in a ring fail without a value', async () => {
    const [one] = await sendGraphs(graph('g', create('@{b.id}', {}, 'a'), create('@{a.id}', {}, 'b')))
    assert.equal(one!.isSuccessful, false)
    assert.match(JSON.stringify(one), /No value for [ab]\.id found/)
  })

  test('do not know the results of another graph', async () => {
    const [, two] = await sendGraphs(graph('1', create('own', {}, 'a')), graph('2', create('@{a.id}')))
    assert.match(
      resultsIn(two!)[0]!.body[0].message,
      /^Invalid reference specified\. No value for a\.id found in a\./,
    )
  })

  test('need 50.0: the call as a whole, and each of its steps', async () => {
    const body = { graphs: [graph('g', create('fifty'))] }
    assert.equal((await o.call('POST', '/services/data/v49.0/composite/graph', { body })).status, 404)
    assert.equal((await o.call('POST', '/services/data/v50.0/composite/graph/', { body })).status, 200)
    const old = { method: 'POST', url: '/services/data/v49.0/sobjects/Specimen__c', body: {} }
    const [one, two] = await sendGraphs(
      graph('1', old),
      graph('2', { ...old, url: '/services/data/v20.0/sobjects/Specimen__c' }),
    )
    assertHalted(
      resultsIn(one!)[0]!,
      'The version of a subrequest in a graph must be 50.0 or later, not 49.0.',
    )
    assert.deepEqual(statusesOf(resultsIn(two!)), [410])
  })

  test('are not tried any more when more than 14 have failed', async () => {
    const graphs = await sendGraphs(
      ...Array.from({ length: 15 }, (_, i) => graph(`bad-${i}`, bad())),
      graph('good', create('late-1'), create('late-2')),
    )
    const message = 'The graph was not run since more than 14 graphs of the request failed.'
    for (const result of resultsIn(graphs[15]!)) assertHalted(result, message)
    assert.equal(graphs[15]!.isSuccessful, false)
    assert.deepEqual(await specimens('late'), [])
    const others = await sendGraphs(
      ...Array.from({ length: 14 }, (_, i) => graph(`bad-${i}`, bad())),
      graph('good', create('late-3')),
    )
    assert.equal(others[14]!.isSuccessful, true)
  })

  test('take 500 nodes in 75 graphs, and chains of 15', async () => {
    const counts = Array.from({ length: 75 }, (_, i) => (i < 50 ? 7 : 6))
    const graphs = await sendGraphs(
      ...counts.map((count, g) =>
        graph(`g${g}`, ...Array.from({ length: count }, (_, n) => create(`big-${g}-${n}`))),
      ),
    )
    assert.ok(successes(graphs).every((one) => one))
    assert.equal((await specimens('big-')).length, 500)
    const [chain] = await sendGraphs(graph('chain', ...chained(15)))
    assert.equal(chain!.isSuccessful, true)
  })
})

const chained = (length: number) =>
  Array.from({ length }, (_, n) => create('chain', n === 0 ? {} : { Text__c: `@{c${n - 1}.id}` }, `c${n}`))

describe('graphs are refused as a whole before anything runs', () => {
  const fine = () => graph('fine', create('wrong'))

  test('over their limits', async () => {
    const many = (length: number) => Array.from({ length }, (_, i) => graph(`g${i}`, create('wrong')))
    assertRefused(
      await send(...many(76)),
      400,
      'LIMIT_EXCEEDED',
      'The request can’t contain more than 75 graphs.',
    )
    const nodes = Array.from({ length: 500 }, () => create('wrong'))
    assertRefused(
      await send(fine(), graph('g', ...nodes)),
      400,
      'LIMIT_EXCEEDED',
      'The request can’t contain more than 500 nodes.',
    )
    const deep = 'The graph deep is deeper than 15 nodes that depend on each other.'
    assertRefused(await send(fine(), graph('deep', ...chained(16))), 400, 'LIMIT_EXCEEDED', deep)
  })

  const badId = (id: string) =>
    `Provided graphId ('${id}') must start with a letter or a number, be shorter than 40 characters and hold no period at `
  const CASES: readonly (readonly [unknown, string])[] = [
    [{}, 'Required field "graphs" is missing at '],
    [{ graphs: [] }, 'The list "graphs" is empty at '],
    [{ graphs: 'x' }, 'Cannot deserialize instance of list from VALUE_STRING value x'],
    [{ graphs: [fine()], allOrNone: true }, 'Unrecognized field "allOrNone" at '],
    [{ graphs: [fine(), graph('fine', create('wrong'))] }, 'Duplicate graphId found: fine at '],
    [{ graphs: [fine(), { graphId: 'a' }] }, 'Required field "compositeRequest" is missing at '],
    [{ graphs: [fine(), graph('a')] }, 'The list "compositeRequest" is empty at '],
    [{ graphs: [fine(), { compositeRequest: [] }] }, 'Required field "graphId" is missing at '],
    [
      { graphs: [fine(), graph(1, create('wrong'))] },
      'Cannot deserialize instance of string from VALUE_NUMBER_INT value 1',
    ],
    ...['_a', '', 'a.b', '-', 'x'.repeat(40)].map(
      (id) => [{ graphs: [fine(), graph(id, create('wrong'))] }, badId(id)] as const,
    ),
    [
      { graphs: [fine(), graph('g', create('wrong', {}, 'a'), create('wrong', {}, 'a'))] },
      'Duplicate referenceId found: a',
    ],
    [
      { graphs: [fine(), graph('g', { ...create('wrong'), url: '/x' })] },
      "The url must begin with /services/data/vXX.X/, not '/x' at ",
    ],
    [{ graphs: [fine(), graph('g', { ...create('wrong'), method: 'get' })] }, "The method 'get' is none of "],
  ]
  for (const [body, message] of CASES) {
    test(message, async () => {
      const answer = await o.call('POST', '/composite/graph', { body })
      const shown = answer.body[0].message
      assertRefused(answer, 400, 'JSON_PARSER_ERROR', shown)
      assert.ok(shown.startsWith(message), shown)
    })
  }

  test('refused graphs change nothing; ids of 39 characters are fine', async () => {
    assert.deepEqual(await specimens('wrong'), [])
    const [one] = await sendGraphs(graph('x'.repeat(39), create('39')))
    assert.equal(one!.isSuccessful, true)
  })
})
