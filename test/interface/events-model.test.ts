import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { fetchSteps } from '../support/deploying.ts'
import { type Follower, followCometd, followStream } from '../support/event-followers.ts'
import { openEventStream } from '../support/event-stream.ts'
import { CHANNELS, EventsModel, factsOf, type Write, write } from '../support/events-model.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'

/* Random writes of one client, and random followers, against a list in memory. event-order.test.ts has writers at the same time. */

let o: TestOrg
let model: EventsModel

before(async () => {
  o = await openOrg({ settings: { edition: 'enterprise', allocation: 'unlimited' } })
  const Number__c = { type: 'string', length: 20, required: true } as const
  const objects = { Account: { changeEvents: true }, Order_Placed__e: { fields: { Number__c } } }
  await fetchSteps(o, objects, { mode: 'keep' })
  model = new EventsModel(o)
})

type Act =
  | { readonly write: Write }
  | { readonly join: 'stream' | 'cometd'; readonly isLate: boolean }
  | { readonly follower: number; readonly does: 'lose' | 'leave' | 'readAll'; readonly count: number }

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ write }) },
  {
    weight: 1,
    arbitrary: fc.record({ join: fc.constantFrom('stream', 'cometd'), isLate: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      follower: fc.nat(3),
      does: fc.constantFrom('lose', 'leave', 'readAll'),
      count: fc.integer({ min: 1, max: 5 }),
    }),
  },
) as fc.Arbitrary<Act>

/** Compares what a follower saw with the groups of the model, each in any order. */
function assertComplete(channel: string, from: number, facts: readonly string[], who: string): void {
  let at = 0
  for (const group of model.groups.slice(from)) {
    if (group.channel !== channel) continue
    const seen = facts.slice(at, at + group.facts.length).toSorted()
    assert.deepEqual(seen, group.facts, `${who} of ${channel}, fact ${at}`)
    at += group.facts.length
  }
  assert.equal(facts.length, at, `${who} of ${channel} sees more: ${facts.slice(at)}`)
}

test('followers that come, go and lose connections see exactly the committed events of their channels, in order', async () => {
  const groups = () => model.groups.length
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 30 }), async (acts) => {
      model.begin()
      const startedAt = groups()
      const live = await openEventStream(o, `channel=${CHANNELS.join()}`)
      const followers: Follower[] = [await followStream(o, true, groups), await followCometd(o, true, groups)]
      for (const one of acts) {
        if ('write' in one) await model.carryOut(one.write)
        else if ('join' in one) {
          const follow = one.join === 'stream' ? followStream : followCometd
          followers.push(await follow(o, one.isLate, groups))
        } else {
          const { follower, does, count } = one
          await followers[follower % followers.length]![does](count)
        }
      }
      await model.carryOut({ kind: 'publish', count: 1, wrong: false, allOrNone: false })
      const sentinel = model.groups.at(-1)!.facts[0]
      const told = new Map<string, string[]>(CHANNELS.map((channel) => [channel, []]))
      for (let isOver = false; !isOver; ) {
        const [event] = await live.take(1)
        assert.ok(event !== undefined, 'the stream has ended')
        const facts = factsOf(event.data.data)
        told.get(event.data.channel)!.push(...facts)
        isOver = facts[0] === sentinel
      }
      live.close()
      for (const channel of CHANNELS)
        assertComplete(channel, startedAt, told.get(channel)!, 'the live stream')
      for (const [n, follower] of followers.entries()) {
        await follower.readAll()
        for (const channel of CHANNELS) {
          const { from, facts } = follower.seen(channel)
          assertComplete(channel, from, facts, `follower ${n}`)
        }
        await follower.end()
      }
    }),
    { numRuns: runs(12) },
  )
})
