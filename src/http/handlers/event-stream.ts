import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { bearerToken } from '../../auth/oauth/token-text.ts'
import { ApiError } from '../../base/api-error.ts'
import { FewAtATime } from '../../base/few-at-a-time.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { ContextFactory } from '../../calls/context-factory.ts'
import { toApiError } from '../../calls/dispatch.ts'
import { ByteStream } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import type { FollowerFaults, FollowingCaller } from '../../faults/follower-faults.ts'
import { EDITIONS } from '../../quota/editions.ts'
import { deliveriesUsedUp } from '../../quota/limit-errors.ts'
import type { QuotaStore } from '../../quota/quota-store.ts'
import { type Channel, findChannel, ownChannel } from '../../streaming/channel.ts'
import type { EventFeed, Read } from '../../streaming/event-feed.ts'
import type { EventBounds, EventRow } from '../../streaming/event-log.sql.ts'
import type { EventMessage } from '../../streaming/event-message.ts'
import { type MeetingFollower, meetFaults } from '../../streaming/faults/meet-faults.ts'
import { findStart, invalidReplay } from '../../streaming/replay.ts'
import { SharedReads } from '../../streaming/shared-reads.ts'
import { loseToken, type TokenServices } from '../middleware/fault-injection.ts'
import { type CallerServices, findCaller } from '../middleware/find-caller.ts'
import type { Authenticated, HttpContext, Routed, WithSchema } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'
import { makeCallContext } from './make-call.ts'

/** Silence after which a comment is sent, so that nobody between takes the stream for dead, in milliseconds. */
const HEARTBEAT_MS = 15_000

/** How often a silent stream looks whether its caller may still follow, in milliseconds. */
const CHECK_MS = 1000

/** Events that are read at a time. */
const MAX_EVENTS = 100

/** Channels of one stream. */
const MAX_CHANNELS = 20

interface Services extends CallerServices, TokenServices {
  readonly feed: EventFeed
  readonly contexts: ContextFactory
  readonly quotaStore: QuotaStore
  /** Undefined if the settings allow no faults. */
  readonly followerFaults: FollowerFaults | undefined
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

/** @throws ApiError ILLEGAL_QUERY_PARAMETER_VALUE */
function isEndless(query: URLSearchParams): boolean {
  const follow = query.get('follow') ?? 'true'
  if (follow === 'true' || follow === 'false') return follow === 'true'
  throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', 'The parameter follow is true or false')
}

/** The message of an event with the channel that has it. */
interface Found extends EventMessage {
  readonly channel?: string
}

/** Joins channels: each event is in the first one that has it. */
function joinChannels(channels: readonly Channel[]): { joined: Channel; nameOf: (found: Found) => string } {
  const objects = new Map(channels.toReversed().flatMap((channel) => [...channel.objects]))
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
  const key = JSON.stringify(channels.map((channel) => channel.key))
  return {
    joined: { name, objects, renderers: new Map(keys.map((id) => [id, renderFirst])), key },
    nameOf: ({ channel, object }) => channel ?? channels.find((one) => one.objects.has(object))!.name,
  }
}

/** Tells how far a client is, without an event: it comes back with that position. */
const comment = (text: string, position: number) => Buffer.from(`id: ${position}\n: ${text}\n\n`)

const formatMessage = (channel: string, { position, data }: EventMessage) =>
  Buffer.from(`id: ${position}\ndata: ${JSON.stringify({ channel, data })}\n\n`)

/** Aborts when the connection of an answer is closed, also if that has happened already. */
function signalClose(raw: ServerResponse): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  if (raw.destroyed || raw.closed) controller.abort()
  return controller.signal
}

const ROUTE = { method: 'GET', route: '/event-stream' }

/** True if the stream goes on after a position. */
const namesPosition = (after: string) => !after.startsWith('-')

/** A caller's rights to channels follow from these. */
interface Seen {
  readonly caller?: StreamContext['caller']
  readonly schema?: StreamContext['schema']
  readonly topics?: Context['topics']
}

interface Stream {
  readonly context: StreamContext
  /** The caller, as the stream began. */
  readonly first: Context
  readonly names: readonly string[]
  readonly start: number
  readonly follower: MeetingFollower
  /** Where it ends; undefined: it does not. */
  readonly end: number | undefined
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal
}

/**
 * Events as they come, for whoever can read a response line by line: server-sent events with their positions as ids.
 * (docs/reference/api/streaming.md#the-event-stream)
 */
export function streamEvents(services: Services): RequestHandler<StreamContext> {
  const { feed, contexts, quotaStore, followerFaults, config } = services
  /** How many follow, by the id of the org. */
  const following = new Map<string, number>()
  const reads = new SharedReads<Read>()
  /** An event wakes all streams: the process does what else there is to do between two of them. */
  const turns = new FewAtATime(1)
  /** Streams that share a read name its channels alike, and hold its bytes once. */
  const formatted = new WeakMap<EventMessage, Buffer>()
  const format = (message: EventMessage, nameOf: (found: Found) => string) =>
    getOrInsert(formatted, message, () => formatMessage(nameOf(message), message))

  const giveBack = (orgId: string) => {
    const left = following.get(orgId)! - 1
    if (left === 0) following.delete(orgId)
    else following.set(orgId, left)
  }

  /** @throws ApiError INVALID_SESSION_ID when the token is not valid any more */
  const findAgain = async (context: StreamContext): Promise<StreamContext> => {
    const token = bearerToken(context.request.headers.authorization ?? '')
    const found = token === undefined ? undefined : await findCaller(services, context.request, token)
    if (found === undefined) throw new ApiError('INVALID_SESSION_ID', 'Session expired or invalid')
    const schema = await found.runtime.snapshots.current()
    return { ...context, ...found, schema }
  }

  /** @throws ApiError what the fault of a stream that begins is */
  const meetFirst = async (
    { request, facts }: StreamContext,
    caller: FollowingCaller,
    channels: readonly string[],
    after: string,
  ): Promise<void> => {
    if (followerFaults === undefined) return
    const following = { channels, hasPosition: namesPosition(after) }
    const fault = await followerFaults.matchMessage(caller, ROUTE, following)
    const asked = JSON.stringify([channels, after])
    const note = (status: number, code: string) =>
      followerFaults.note(caller, ROUTE, { status, code, fault: fault?.name ?? '', asked })
    if (fault === undefined) return note(200, '')
    facts.faultNames = [fault.name]
    const refusal =
      fault.effect.replay === undefined
        ? new ApiError('INVALID_SESSION_ID', 'Session expired or invalid')
        : new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', invalidReplay(after))
    if (fault.effect.token !== undefined) await loseToken(services, request, caller.clientId)
    note(refusal.status, refusal.code)
    throw refusal
  }

  /**
   * Finds out who follows by now, and looks at the channels again if anything is different from before.
   * @throws ApiError when the caller may not follow them any more
   */
  const checkAgain = async (
    context: StreamContext,
    names: readonly string[],
    before: Seen,
  ): Promise<Seen> => {
    const found = await findAgain(context)
    const { caller, schema, runtime } = found
    const topics = runtime.topics.current
    if (caller === before.caller && schema === before.schema && topics === before.topics) return before
    const subscriber = makeCallContext(contexts, found)
    for (const name of names) findChannel(subscriber, name)
    return { caller, schema, topics }
  }

  /**
   * Waits until there may be events behind a position, or a comment is due.
   * @throws ApiError when the caller may not follow any more
   */
  const waitForEvents = async (stream: Stream, position: number): Promise<void> => {
    const { context, first, names, gone } = stream
    const due = AbortSignal.any([gone, AbortSignal.timeout(HEARTBEAT_MS)])
    let seen: Seen = {}
    for (;;) {
      const check = AbortSignal.timeout(CHECK_MS)
      await feed.grown(first.org, position, AbortSignal.any([due, check]))
      if (due.aborted || feed.isClosed || !check.aborted) return
      try {
        seen = await checkAgain(context, names, seen)
      } catch (error) {
        // While the database fails it goes on to wait.
        if (error instanceof ApiError && error.status < 500) throw error
      }
    }
  }

  async function* follow(stream: Stream): AsyncGenerator<Buffer> {
    const { context, first, names, start, end, follower, gone } = stream
    let subscriber = first
    let position = start
    let saidAt = performance.now()
    yield comment('follows', start)
    while (!gone.aborted && !feed.isClosed) {
      const { joined, nameOf } = joinChannels(names.map((name) => findChannel(subscriber, name)))
      const after = position
      const kept = await reads.read(subscriber, joined, after, () =>
        feed.read(subscriber, joined, after, MAX_EVENTS),
      )
      const channelsOf = (found: Found) => [nameOf(found), ownChannel(found.object)]
      const read =
        followerFaults === undefined
          ? { ...kept, isUsedUp: false }
          : await meetFaults({ faults: followerFaults, feed }, follower, channelsOf, kept)
      const messages = read.messages.filter((message) => message.position <= (end ?? message.position))
      const sent =
        messages.length === 0 ? 0 : await quotaStore.takeEvents(first.org, 'delivered', messages.length)
      if (sent > 0) await turns.next()
      for (const message of messages.slice(0, sent)) yield format(message, nameOf)
      if (sent < messages.length || read.isUsedUp) throw deliveriesUsedUp()
      if (end !== undefined && read.position >= end) {
        yield Buffer.from(`id: ${end}\nevent: end\ndata: {"position":${end}}\n\n`)
        return
      }
      if (read.messages.length > 0) saidAt = performance.now()
      if (read.position === position) await waitForEvents(stream, position)
      position = read.position
      if (performance.now() - saidAt >= HEARTBEAT_MS) {
        yield comment('is there', position)
        saidAt = performance.now()
      }
      // What comes next is read with the fields and rights of then.
      subscriber = makeCallContext(contexts, await findAgain(context))
    }
  }

  /** Ends with an event that says why, where it cannot go on: the client comes back with the last position. */
  async function* followUntilError(stream: Stream): AsyncGenerator<Buffer> {
    try {
      yield* follow(stream)
    } catch (thrown) {
      const { code, status, message } = toApiError(thrown, stream.first)
      const { caller, key } = stream.follower
      followerFaults?.note(caller, ROUTE, { status, code, fault: '', asked: key })
      yield Buffer.from(`event: error\ndata: ${JSON.stringify({ errorCode: code, message })}\n\n`)
    }
  }

  return async (context) => {
    const { query, request, response, facts } = context
    facts.route = '/event-stream'
    const gone = signalClose(response.raw)
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
    // A reader that has had no event yet may send the header without one.
    const after = String(request.headers['last-event-id'] || (query.get('replay') ?? '-1'))
    const caller = {
      org,
      clientId: context.session.clientId,
      username: subscriber.principal.username,
      version: subscriber.version,
    }
    await meetFirst(context, caller, names, after)
    const bounds = await feed.bounds(org)
    const start = parseStart(after, bounds)
    const end = isEndless(query) ? undefined : bounds.last
    const count = following.get(org.id) ?? 0
    if (count >= EDITIONS[config.edition].followers) {
      throw new ApiError(
        'REQUEST_LIMIT_EXCEEDED',
        'Too many clients follow events of this org. End some of them.',
      )
    }
    // Who has left meanwhile takes no place: nobody would give it back.
    if (!gone.aborted) {
      following.set(org.id, count + 1)
      gone.addEventListener('abort', () => giveBack(org.id), { once: true })
    }
    return {
      status: 200,
      headers: { 'Content-Type': 'text/event-stream;charset=UTF-8', 'X-Accel-Buffering': 'no' },
      body: new ByteStream(undefined, () =>
        followUntilError({
          ...{ context, first: subscriber, names, start, end, gone },
          follower: { caller, route: ROUTE, key: randomUUID() },
        }),
      ),
    }
  }
}
