import { setTimeout as sleep } from 'node:timers/promises'
import type { KilledServer } from '../../support/killed-server.ts'

/** An event as a reader got it. */
interface ReadEvent {
  readonly position: number
  readonly channel: string
  // biome-ignore lint/suspicious/noExplicitAny: payloads have every shape
  readonly data: any
}

/** Events that a reader takes from one connection at most, before it cuts it. */
const MAX_OF_CONNECTION = 400

/** Follows channels, is cut at random, and goes on behind what it has. */
export interface EventReader {
  readonly events: ReadEvent[]
  /** What it was told that must not be: that events are gone, for one. */
  readonly wrong: string[]
  /** Ends when the event of this name has come. */
  readonly ended: Promise<void>
}

/** The event that ends readers. */
export const END = 'the end'
const isEnd = ({ data }: ReadEvent) => data.payload.Name === END

/** A broken connection, or a server that is not there yet. */
const isGone = (error: unknown) => error instanceof TypeError || (error as Error).name === 'AbortError'

/** Repeats a work until it says that it is through, also over broken connections. */
async function repeat(work: () => Promise<boolean>): Promise<void> {
  for (;;) {
    try {
      if (await work()) return
    } catch (error) {
      if (!isGone(error)) throw error
    }
    await sleep(50 + Math.random() * 200)
  }
}

/** Reads server-sent events. */
export function readStream(server: KilledServer, channels: readonly string[]): EventReader {
  const [events, wrong]: [ReadEvent[], string[]] = [[], []]
  const readOnce = async () => {
    const { address, token } = server.access
    const controller = new AbortController()
    const last = events.at(-1)
    const headers = {
      authorization: `Bearer ${token}`,
      ...(last !== undefined && { 'last-event-id': String(last.position) }),
    }
    const query = `channel=${channels.join()}&replay=-2`
    const response = await fetch(`${address}/services/data/v64.0/event-stream?${query}`, {
      headers,
      signal: controller.signal,
    })
    if (response.status >= 500) return false
    if (!response.ok) {
      wrong.push(`${response.status} ${await response.text()}`)
      return true
    }
    const most = Math.ceil(Math.random() * MAX_OF_CONNECTION)
    let rest = ''
    let count = 0
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split('\n\n')
      rest = parts.pop()!
      for (const part of parts) {
        const [, id] = /^id: (\d+)$/m.exec(part) ?? []
        const [, data] = /^data: (.*)$/m.exec(part) ?? []
        if (/^event: error/m.test(part) && !/SERVER_UNAVAILABLE/.test(part)) wrong.push(part)
        if (id === undefined || data === undefined) continue
        events.push({ position: Number(id), ...JSON.parse(data) })
        if (isEnd(events.at(-1)!)) {
          controller.abort()
          return true
        }
        if (++count === most) {
          controller.abort()
          return false
        }
      }
    }
    return false
  }
  return { events, wrong, ended: repeat(readOnce) }
}

/** A message of the server. */
// biome-ignore lint/suspicious/noExplicitAny: replies have every shape
type Reply = Readonly<Record<string, any>>

/** Reads by CometD, with one client as long as the server knows it. What comes again is left out. */
export function readCometd(server: KilledServer, channels: readonly string[]): EventReader {
  const [events, wrong]: [ReadEvent[], string[]] = [[], []]
  let clientId: string | undefined
  let connects = 0
  const post = async (message: object, signal?: AbortSignal) => {
    const { address, token } = server.access
    const response = await fetch(`${address}/cometd/64.0`, {
      method: 'POST',
      headers: { authorization: `OAuth ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify([message]),
      ...(signal && { signal }),
    })
    return (await response.json()) as Reply[]
  }
  const begin = async () => {
    const [greeting] = await post({ channel: '/meta/handshake', id: 'h' })
    if (greeting!.successful !== true) return
    const begun: string = greeting!.clientId
    const after = events.at(-1)?.position ?? -2
    const ext = { replay: Object.fromEntries(channels.map((channel) => [channel, after])) }
    const subscription = [...channels]
    const [reply] = await post({ channel: '/meta/subscribe', id: 's', clientId: begun, subscription, ext })
    if (reply!.successful === true) clientId = begun
    else if (!String(reply!.error).startsWith('503')) wrong.push(JSON.stringify(reply))
  }
  let isCut = false
  const connectOnce = async () => {
    if (clientId === undefined) await begin()
    if (clientId === undefined) return false
    // One that was cut is sent again, with the same id.
    if (!isCut) connects++
    isCut = true
    const signal = AbortSignal.any([
      AbortSignal.timeout(Math.random() < 0.2 ? Math.ceil(Math.random() * 300) : 5000),
    ])
    const message = {
      channel: '/meta/connect',
      id: String(connects),
      clientId,
      connectionType: 'long-polling',
    }
    const replies = await post(message, signal).catch((error) => {
      throw error.name === 'TimeoutError' ? new TypeError('cut') : error
    })
    isCut = false
    const reply = replies.at(-1)!
    const last = events.at(-1)?.position ?? 0
    // Channels are read one after the other, so an answer has the events of each in order.
    const told = replies
      .slice(0, -1)
      .map(({ channel, data }): ReadEvent => ({ channel, data, position: data.event.replayId }))
      .filter(({ position }) => position > last)
    events.push(...told)
    if (String(reply.error).startsWith('403')) clientId = undefined
    else if (reply.successful !== true && !String(reply.error).startsWith('503'))
      wrong.push(JSON.stringify(reply))
    return events.some(isEnd)
  }
  return { events, wrong, ended: repeat(connectOnce) }
}
