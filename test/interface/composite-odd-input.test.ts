import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ERROR_CODES } from '../../src/base/error-codes.ts'
import { V64 } from '../support/composite.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

const RUNS = { numRuns: runs(80) }

let o: TestOrg

before(async () => {
  o = await openOrg({ settings: { bodyLimit: '200000' } })
  await o.deploy([SPECIMEN])
})

const expression = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'a.id',
      'a.Id',
      'b.Id',
      'b.Text__c',
      'b.Email__c',
      'b',
      'b[0]',
      '__proto__.x',
      '',
      'a.',
      '1.id',
    ),
  },
  { weight: 1, arbitrary: fc.string() },
)
const reference = expression.map((text) => `@{${text}}`)
const odd = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(null, '', '@{', '\0', 1e300),
)

/** Mostly what it should be, sometimes anything. */
const mostly = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 60, arbitrary: value }, { weight: 1, arbitrary: odd })

const text = fc.oneof(
  reference,
  fc.tuple(fc.string(), reference, fc.string()).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
)
const path = fc.oneof(
  fc.constantFrom(
    '/sobjects/Specimen__c',
    '/sobjects/Specimen__c/Key__c/k',
    '/sobjects',
    '/composite',
    '/x',
    '',
  ),
  text.map((part) => `/sobjects/Specimen__c/${part}`),
  text.map((part) => `/sobjects/Specimen__c/Key__c/${encodeURIComponent(part.toWellFormed())}`),
  text.map((part) => `/query?q=SELECT Id FROM Specimen__c WHERE Text__c = '${part}'`),
  text.map(
    (part) => `/query?q=${encodeURIComponent(`SELECT Id FROM Specimen__c LIMIT ${part}`.toWellFormed())}`,
  ),
  text.map((part) => `/query?q=${part}`),
)
const url = fc
  .tuple(
    fc.constantFrom(
      ...Array(8).fill(V64),
      V64,
      V64,
      '/services/data/v20.0',
      '/services/data/latest',
      'v64.0',
      'http://localhost:80/services/data/v50.0',
      'http://[',
    ),
    path,
  )
  .map((parts) => parts.join(''))
const fields = fc.dictionary(
  fc.constantFrom('Text__c', 'Key__c', 'Count__c', 'Flag__c', 'Nothing__c', 'Account__r', '__proto__'),
  fc.oneof(text, odd),
  { maxKeys: 3 },
)
const headers = fc.dictionary(
  fc.constantFrom('If-Match', 'if-modified-since', 'Svc-Query-Options', '__proto__', 'x'),
  fc.string(),
  { maxKeys: 2 },
)

const makeStep = (bodyName: string, more: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(
    {
      method: mostly(fc.constantFrom('GET', 'GET', 'POST', 'PATCH', 'DELETE')),
      url: mostly(url),
      [bodyName]: mostly(fields),
      ...more,
    },
    { requiredKeys: ['method', 'url', ...Object.keys(more).filter((name) => name === 'referenceId')] },
  )
const referenceId = mostly(fc.constantFrom('1', '2', '3', '4', '5'))

/** Steps that the others may refer to. */
const FIRST = [
  { method: 'POST', url: `${V64}/sobjects/Specimen__c`, referenceId: 'a', body: {} },
  {
    method: 'PATCH',
    url: `${V64}/sobjects/Specimen__c/Key__c/k`,
    referenceId: 'u',
    body: { Text__c: 'it\'s \\ {"x":1}' },
  },
  { method: 'GET', url: `${V64}/sobjects/Specimen__c/Key__c/k`, referenceId: 'b' },
]
const steps = fc
  .array(mostly(makeStep('body', { referenceId, httpHeaders: mostly(headers) })), { maxLength: 5 })
  .map((list) => {
    // A name that comes twice refuses everything; that is seen often enough.
    const seen = new Set<unknown>()
    const others = list.filter((one) => {
      const name = (one as { referenceId?: unknown } | null)?.referenceId
      if (seen.has(name) && name !== undefined) return false
      seen.add(name)
      return true
    })
    return [...FIRST, ...others]
  })
const ENVELOPES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  '/composite': fc.record({ allOrNone: mostly(fc.boolean()), compositeRequest: mostly(steps) }),
  '/composite/batch': fc.record({
    haltOnError: mostly(fc.boolean()),
    batchRequests: mostly(fc.array(makeStep('richInput', {}), { maxLength: 5 })),
  }),
  '/composite/graph': fc.record({
    graphs: mostly(
      fc.array(
        fc.record({ graphId: mostly(fc.constantFrom('1', '2', '3')), compositeRequest: mostly(steps) }),
        {
          maxLength: 3,
        },
      ),
    ),
  }),
}

function assertErrors(errors: unknown): void {
  assert.ok(Array.isArray(errors) && errors.length > 0)
  for (const error of errors) {
    assert.deepEqual(Object.keys(error).sort(), ['errorCode', 'fields', 'message'])
    assert.ok(error.errorCode in ERROR_CODES)
    assert.ok(error.message.length < 3000, error.message)
  }
}

describe('whatever the envelope holds', () => {
  for (const [address, envelope] of Object.entries(ENVELOPES)) {
    test(`${address} answers with results or refuses, and nothing is a failure of ours`, async () => {
      let answered = 0
      await fc.assert(
        fc.asyncProperty(envelope, async (body) => {
          const answer = await o.call('POST', address, { body })
          assert.ok(answer.status === 200 || answer.status === 400, answer.text)
          assert.doesNotMatch(answer.text, /UNKNOWN_EXCEPTION/)
          if (answer.status === 400) assertErrors(answer.body)
          else answered++
          for (const { httpStatusCode, statusCode, body, result } of [
            ...(answer.body.compositeResponse ?? []),
            ...(answer.body.results ?? []),
          ]) {
            if ((httpStatusCode ?? statusCode) >= 400) assertErrors(body ?? result)
          }
        }),
        RUNS,
      )
      assert.ok(answered > RUNS.numRuns / 20, `${answered} of ${RUNS.numRuns} got through`)
    })
  }
})
