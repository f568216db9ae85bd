import { bearerToken } from '../../auth/oauth/token-text.ts'
import { ApiError } from '../../base/api-error.ts'
import type { ContextFactory } from '../../calls/context-factory.ts'
import { toApiError } from '../../calls/dispatch.ts'
import { ByteStream } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { EDITIONS } from '../../quota/editions.ts'
import { type Channel, findChannel } from '../../streaming/channel.ts'
import type { EventFeed } from '../../streaming/event-feed.ts'
import type { EventBounds, EventRow } from '../../streaming/event-log.sql.ts'
import type { EventMessage } from '../../streaming/event-message.ts'
import { findStart, invalidReplay } from '../../streaming/replay.ts'
import { type CallerServices, findCaller } from '../middleware/find-caller.ts'
import type { Authenticated, HttpContext, Routed, WithSchema } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'
import { makeCallContext } from './make-call.ts'

/** Silence after which a comment is sent, so that nobody between takes the stream for dead, in milliseconds. */
const HEARTBEAT_MS = 15_000

/** Events that are read at a time. */
const MAX_EVENTS = 100

/** Channels of one stream. */
const MAX_CHANNELS = 20

interface Services extends CallerServices {
  readonly feed: EventFeed
  readonly contexts: ContextFactory
  readonly config: Pick<Config, 'edition'>
}

type StreamContext = HttpContext & Authenticated & Routed & WithSchema

/**
 * @param text a position, -1 or -2
 * @throws ApiError ILLEGAL_QUERY_PARAMETER_VALUE
 */
function parseStart(text: string, bounds: EventBounds): number {
  const start = /^-[12]$|^\d{1,15}$/.test(text) ? findStart(Number(text), bounds) : undefined
  if (start === undefined) throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', invalidReplay(text))
  return start
}

/** The message of an event with the channel that has it. */
interface Found extends EventMessage {
  readonly channel?: string
}

/** Joins channels: each event is in the first one that has it. */
function joinChannels(channels: readonly Channel[]): { joined: Channel; nameOf: (found: Found) => string } {
  const objects = new Map(channels.flatMap((channel) => [...channel.objects]))
  const keys = channels.flatMap(({ renderers }) => [...(renderers?.keys() ?? [])])
  // Subscriptions to one topic differ in their conditions.
  const renderFirst = (row: EventRow): Found | undefined => {
    for (const { name, renderers } of channels) {
      const message = renderers?.get(row.object)?.(row)
      if (message !== undefined) return { ...message, channel: name }
    }
    return undefined
  }
  const name = channels.map((channel) => channel.name).join()
  return {
    joined: { name, objects, renderers: new Map(keys.map((key) => [key, renderFirst])) },
    nameOf: ({ channel, object }) => channel ?? channels.find((one) => one.objects.has(object))!.name,
  }
}

const comment = (text: string) => Buffer.from(`: ${text}\n\n`)

const formatMessage = (channel: string, { position, data }: EventMessage) =>
  Buffer.from(`id: ${position}\ndata: ${JSON.stringify({ channel, data })}\n\n`)

interface Stream {
  readonly context: StreamContext
  /** The caller, as the stream began. */
  readonly first: Context
  readonly names: readonly string[]
  readonly start: number
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal
}

/**
 * Events as they come, for whoever can read a response line by line: server-sent events with their positions as ids.
 * (docs/reference/api/streaming.md#the-event-stream)
 */
export function streamEvents(services: Services): RequestHandler<StreamContext> {
  const { feed, contexts, config } = services
  const following = new Map<string, number>()

  /** @throws ApiError INVALID_SESSION_ID when the token is not valid any more */
  const findAgain = async (context: StreamContext): Promise<Context> => {
    const token = bearerToken(context.request.headers.authorization ?? '')
    const found = token === undefined ? undefined : await findCaller(services, context.request, token)
    if (found === undefined) throw new ApiError('INVALID_SESSION_ID', 'Session expired or invalid')
    const schema = await found.runtime.snapshots.current()
    return makeCallContext(contexts, { ...context, ...found, schema })
  }

  async function* follow({ context, first, names, start, gone }: Stream): AsyncGenerator<Buffer> {
    let subscriber = first
    let position = start
    let saidAt = performance.now()
    yield comment('follows')
    while (!gone.aborted && !feed.isClosed) {
      const { joined, nameOf } = joinChannels(names.map((name) => findChannel(subscriber, name)))
      const read = await feed.read(subscriber, joined, position, MAX_EVENTS)
      for (const message of read.messages) yield formatMessage(nameOf(message), message)
      if (read.messages.length > 0) saidAt = performance.now()
      if (read.position === position) {
        await feed.grown(first.org, position, AbortSignal.any([gone, AbortSignal.timeout(HEARTBEAT_MS)]))
      }
      position = read.position
      if (performance.now() - saidAt >= HEARTBEAT_MS) {
        yield comment('is there')
        saidAt = performance.now()
      }
      // What comes next is read with the fields and rights of then.
      subscriber = await findAgain(context)
    }
  }

  /** Ends with an event that says why, where it cannot go on: the client comes back with the last position. */
  async function* followUntilError(stream: Stream): AsyncGenerator<Buffer> {
    try {
      yield* follow(stream)
    } catch (thrown) {
      const { code, message } = toApiError(thrown, stream.first)
      yield Buffer.from(`event: error\ndata: ${JSON.stringify({ errorCode: code, message })}\n\n`)
    }
  }

  return async (context) => {
    const { query, request, response, facts } = context
    facts.route = '/event-stream'
    const subscriber = makeCallContext(contexts, context)
    const { org } = subscriber
    const names = query.getAll('channel').flatMap((list) => list.split(','))
    if (names.length === 0 || names.length > MAX_CHANNELS || names.includes('')) {
      throw new ApiError(
        'MISSING_ARGUMENT',
        `The parameter channel names 1 to ${MAX_CHANNELS} channels: channel=/data/AccountChangeEvent`,
      )
    }
    for (const name of names) findChannel(subscriber, name)
    const after = String(request.headers['last-event-id'] ?? query.get('replay') ?? '-1')
    const start = parseStart(after, await feed.bounds(org))
    const count = following.get(org.id) ?? 0
    if (count >= EDITIONS[config.edition].followers) {
      throw new ApiError(
        'REQUEST_LIMIT_EXCEEDED',
        'Too many clients follow events of this org. End some of them.',
      )
    }
    following.set(org.id, count + 1)
    const controller = new AbortController()
    response.raw.once('close', () => {
      controller.abort()
      const left = following.get(org.id)! - 1
      if (left === 0) following.delete(org.id)
      else following.set(org.id, left)
    })
    return {
      status: 200,
      headers: { 'Content-Type': 'text/event-stream;charset=UTF-8', 'X-Accel-Buffering': 'no' },
      body: new ByteStream(undefined, () =>
        followUntilError({ context, first: subscriber, names, start, gone: controller.signal }),
      ),
    }
  }
}
