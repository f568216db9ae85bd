import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Call } from '../../src/calls/call.ts'
import { collectionFailed, inAllOrNone } from '../../src/composite/steps/collection-step.ts'

const call = (method: string, path: string, body?: unknown, query = ''): Call => ({
  method,
  path,
  query: new URLSearchParams(query),
  headers: {},
  body,
  locate: () => ({ line: 1, column: 1 }),
})

describe('a collection in a composite where all must succeed', () => {
  test('must succeed as a whole, whatever it says itself', () => {
    for (const [method, path] of [
      ['POST', '/composite/sobjects'],
      ['POST', '/composite/sobjects/'],
      ['PATCH', '/composite/sobjects'],
      ['PATCH', '/composite/sobjects/Account/Key__c'],
    ] as const) {
      const { body } = inAllOrNone(call(method, path, { allOrNone: false, records: [] }))
      assert.deepEqual(body, { allOrNone: true, records: [] })
    }
    const { query } = inAllOrNone(call('DELETE', '/composite/sobjects', undefined, 'ids=a&allOrNone=false'))
    assert.equal(String(query), 'ids=a&allOrNone=true')
  })

  test('is left alone when it reads, or when its body is none', () => {
    const read = call('POST', '/composite/sobjects/Account', { ids: [], fields: [] })
    assert.equal(inAllOrNone(read), read)
    const wrong = call('PATCH', '/composite/sobjects', 'x')
    assert.equal(inAllOrNone(wrong), wrong)
  })

  test('has failed when one of its records has', () => {
    const reply = (body: unknown) => ({ status: 200, body })
    assert.equal(collectionFailed(reply([{ success: true }, { success: false }])), true)
    assert.equal(collectionFailed(reply([{ success: true }, null])), false)
    assert.equal(collectionFailed(reply({})), false)
  })
})
