import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { LargeBodies } from '../../src/http/body/large-bodies.ts'
import type { HttpContext, Started } from '../../src/http/pipeline/http-context.ts'

type Call = HttpContext & Started & { readonly name: string }

/** Calls that run until they are ended, and which of them have begun. */
function openCalls() {
  const begun: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const run = new LargeBodies().takeTurns<Call>(async ({ name }) => {
    begun.push(name)
    await gates.get(name)!.promise
    return { status: 204 }
  })
  const start = (name: string, orgId: string, megabytes: number) => {
    gates.set(name, Promise.withResolvers())
    const bytes = Buffer.alloc(megabytes * 1024 * 1024)
    return Promise.resolve(run({ name, bytes, running: { orgId } } as unknown as Call))
  }
  return { begun, gates, start }
}

describe('calls with a large body', () => {
  test('of one org run one after the other, also when one fails; small ones run beside them', async () => {
    const { begun, gates, start } = openCalls()
    const first = start('first', 'a', 9)
    const second = start('second', 'a', 9)
    const small = start('small', 'a', 1)
    await setImmediate()
    assert.deepEqual(begun, ['small', 'first'])
    gates.get('first')!.reject(new Error('refused'))
    await assert.rejects(first, /refused/)
    await setImmediate()
    assert.deepEqual(begun, ['small', 'first', 'second'])
    for (const { resolve } of gates.values()) resolve()
    assert.deepEqual(await Promise.all([second, small]), [{ status: 204 }, { status: 204 }])
  })

  test('run two at a time, of whatever org', async () => {
    const { begun, gates, start } = openCalls()
    const calls = ['a', 'b', 'c'].map((org) => start(org, org, 9))
    await setImmediate()
    assert.deepEqual(begun, ['a', 'b'])
    for (const { resolve } of gates.values()) resolve()
    await Promise.all(calls)
    assert.deepEqual(begun, ['a', 'b', 'c'])
  })
})
