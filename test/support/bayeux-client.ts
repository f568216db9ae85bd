import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { type Answer, makeAnswer, type TestOrg } from './org.ts'

type Message = Readonly<Record<string, unknown>>

/** A message of the server. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
export type Reply = Readonly<Record<string, any>>

/** A client that sends exactly the messages that a test wants, with an id in each that has none. */
export interface BayeuxClient {
  readonly clientId: string
  /** Sends a message of this client, and gives the reply to it. */
  send(channel: string, more?: Message): Promise<Reply>
  /** @param replay from which event on; absent: not said */
  subscribe(channel: string, replay?: unknown): Promise<Reply>
  /** Events, and the reply to the connect as the last one. */
  connect(more?: Message): Promise<Reply[]>
  /** Numbers of the events that come until there are none for now. */
  drain(): Promise<number[]>
}

interface Way {
  readonly server?: FastifyInstance
  readonly path?: string
  /** Undefined: that of the org's administrator; null: none. */
  readonly authorization?: string | null | undefined
}

/** A connect that is answered at once. */
export const AT_ONCE = { advice: { timeout: 0 } }

/** The answer to messages as they stand. */
export async function postMessages(
  o: Pick<TestOrg, 'server' | 'token'>,
  body: unknown,
  { server = o.server, path = '/cometd/64.0', authorization = `OAuth ${o.token}` }: Way = {},
): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await server.inject({
    method: 'POST',
    url: path,
    headers: authorization === null ? headers : { ...headers, authorization },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return makeAnswer(response)
}

/** The replies to messages that can be read. */
export async function exchange(
  o: Pick<TestOrg, 'server' | 'token'>,
  messages: readonly Message[],
  way?: Way,
): Promise<Reply[]> {
  const answer = await postMessages(o, messages, way)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export const HANDSHAKE = {
  channel: '/meta/handshake',
  version: '1.0',
  supportedConnectionTypes: ['long-polling'],
}

let count = 0

/** The client that another one has become, in front of another server perhaps. */
export function resumeBayeux(
  o: Pick<TestOrg, 'server' | 'token'>,
  clientId: string,
  way?: Way,
): BayeuxClient {
  const sendAll = (channel: string, more: Message = {}) =>
    exchange(o, [{ id: String(++count), channel, clientId, ...more }], way)
  const send: BayeuxClient['send'] = async (channel, more) => (await sendAll(channel, more)).at(-1)!
  const connect: BayeuxClient['connect'] = (more) =>
    sendAll('/meta/connect', { connectionType: 'long-polling', ...more })
  return {
    clientId,
    send,
    connect,
    subscribe: (channel, replay) =>
      send('/meta/subscribe', {
        subscription: channel,
        ...(replay !== undefined && { ext: { replay: { [channel]: replay } } }),
      }),
    async drain() {
      const numbers: number[] = []
      for (;;) {
        const events = (await connect(AT_ONCE)).slice(0, -1)
        if (events.length === 0) return numbers
        numbers.push(...events.map(({ data }) => data.event.replayId))
      }
    },
  }
}

export async function openBayeux(o: Pick<TestOrg, 'server' | 'token'>, way?: Way): Promise<BayeuxClient> {
  const [reply] = await exchange(o, [HANDSHAKE], way)
  assert.equal(reply!.successful, true, JSON.stringify(reply))
  return resumeBayeux(o, reply!.clientId, way)
}
