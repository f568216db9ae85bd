import assert from 'node:assert/strict'
import { AT_ONCE, type BayeuxClient, openBayeux, type Reply } from './bayeux-client.ts'
import { openEventStream } from './event-stream.ts'
import { CHANNELS, factsOf } from './events-model.ts'
import type { TestOrg } from './org.ts'

/** Somebody who follows channels, loses connections, and goes away and comes back. */
export interface Follower {
  /** Reads some events, and loses the connection or the answer then. */
  lose(count: number): Promise<void>
  /** Goes away, and comes back later with the positions of then. */
  leave(): Promise<void>
  /** Reads what is there. */
  readAll(): Promise<void>
  /** Goes away for good. */
  end(): Promise<void>
  /** What was seen of a channel, and from which group of the model on it has to be complete. */
  seen(channel: string): { readonly from: number; readonly facts: readonly string[] }
}

const ALL_KEPT = -2
const NEW_ONLY = -1

/** Those who follow by server-sent events. */
export async function followStream(o: TestOrg, isLate: boolean, groups: () => number): Promise<Follower> {
  const facts = new Map<string, string[]>(CHANNELS.map((channel) => [channel, []]))
  const query = `channel=${CHANNELS.join()}&follow=false&replay=${isLate ? NEW_ONLY : ALL_KEPT}`
  let position: number | undefined
  const from = isLate ? groups() : 0
  const read = async (max: number) => {
    const stream = await openEventStream(o, query, position === undefined ? undefined : String(position))
    assert.equal(stream.status, 200)
    for (const { id, event, data } of await stream.take(max)) {
      const at = Number(id)
      assert.ok(event === 'end' || at > (position ?? 0), `${at} is behind ${position}`)
      position = at
      if (event !== 'end') facts.get(data.channel)!.push(...factsOf(data.data))
    }
    stream.close()
  }
  // Whoever wants new events is there from now on.
  if (isLate) await read(Number.POSITIVE_INFINITY)
  return {
    lose: read,
    leave: async () => {},
    readAll: () => read(Number.POSITIVE_INFINITY),
    end: async () => {},
    seen: (channel) => ({ from, facts: facts.get(channel)! }),
  }
}

/** Those who follow by CometD. */
export async function followCometd(o: TestOrg, isLate: boolean, groups: () => number): Promise<Follower> {
  interface Followed {
    from: number
    last: number | undefined
    facts: string[]
  }
  const start = (from: number): Followed => ({ from, last: undefined, facts: [] })
  const channels = new Map<string, Followed>(
    CHANNELS.map((channel) => [channel, start(isLate ? groups() : 0)]),
  )
  let client: BayeuxClient
  let count = 0
  const open = async () => {
    client = await openBayeux(o)
    for (const [channel, { last }] of channels) {
      if (last === undefined && isLate) channels.set(channel, start(groups()))
      const reply = await client.subscribe(channel, last ?? (isLate ? NEW_ONLY : ALL_KEPT))
      assert.equal(reply.successful, true, JSON.stringify(reply))
    }
  }
  const connect = (id: string): Promise<Reply[]> => client.connect({ ...AT_ONCE, id })
  const note = (replies: readonly Reply[]) => {
    const events = replies.filter(({ channel }) => !channel.startsWith('/meta/'))
    for (const { channel, data } of events) {
      const followed = channels.get(channel)!
      const { replayId } = data.event
      assert.ok(replayId > (followed.last ?? 0), `${replayId} is behind ${followed.last}`)
      followed.last = replayId
      followed.facts.push(...factsOf(data))
    }
    return events.length
  }
  await open()
  return {
    async lose() {
      const id = `lost ${++count}`
      const lost = await connect(id)
      const again = await connect(id)
      const events = (replies: Reply[]) => replies.slice(0, -1).map(({ data }) => data.event.replayId)
      assert.deepEqual(events(again), events(lost))
      note(again)
    },
    async leave() {
      await client.send('/meta/disconnect')
      await open()
    },
    async readAll() {
      while (note(await connect(`read ${++count}`)) > 0);
    },
    async end() {
      await client.send('/meta/disconnect')
    },
    seen: (channel) => channels.get(channel)!,
  }
}
