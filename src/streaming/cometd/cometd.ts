import { randomUUID } from 'node:crypto'
import { ApiError } from '../../base/api-error.ts'
import { FewAtATime } from '../../base/few-at-a-time.ts'
import { isObject, Json } from '../../base/json.ts'
import type { FollowerFaults } from '../../faults/follower-faults.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { findChannel, ownChannel, type Subscriber } from '../channel.ts'
import type { EventFeed } from '../event-feed.ts'
import { meetFaults } from '../faults/meet-faults.ts'
import { findStart } from '../replay.ts'
import {
  type Answer,
  endConnect,
  findPatience,
  findReplay,
  findWrongReplay,
  findWrongType,
  findWrongTypes,
  greet,
  type Message,
  NO_CHANNEL,
  noSuchChannel,
  ONCE_IN_A_REQUEST,
  readChannels,
  refuse,
  refuseDelivery,
  refuseForNow,
  refuseLostClient,
  refuseOneMore,
  refuseUnknown,
  succeed,
  wrongReplay,
} from './bayeux.ts'
import { HeldConnects, Hold, type HoldEnd, isBroken } from './held-connects.ts'
import { MessageFaults, routeOf } from './message-faults.ts'
import { EventReader, type MeetChannel } from './read-events.ts'
import type { Request, Sender } from './request.ts'
import type { Owner } from './stream-client.sql.ts'
import { type StreamClient, StreamClients } from './stream-clients.ts'
import {
  addSubscriptions,
  MAX_SUBSCRIPTIONS,
  tooManyChannels,
  withoutSent,
  withSent,
} from './subscriptions.ts'

/** Messages of one request. */
const MAX_MESSAGES = 100

/** A longer id of a message is repeated in its answer, and not kept. */
const MAX_KEPT_ID_CHARACTERS = 100

/** The answers to the messages of a request. */
export interface Answers {
  readonly body: Json
  /** Must be called when they did not reach the client. */
  readonly takeBack: () => Promise<void>
}

interface CometDServices {
  /** For short statements that must not wait behind calls. */
  readonly reserved: Db
  readonly feed: EventFeed
  /** How many clients an org may have at a time. */
  readonly maxClients: number
  /** Counts events that are sent. Returns how many of them may be. */
  readonly deliver: (org: Org, count: number) => Promise<number>
  /** Undefined if the settings allow no faults. */
  readonly faults: FollowerFaults | undefined
  /** Makes what a client is told of an error, and reports it. */
  readonly toApiError: (thrown: unknown) => ApiError
}

/** The answer to a message, behind the events that it brings. */
interface Delivery {
  /** JSON. */
  readonly texts: readonly string[]
  /** Has the events sent once more. Undefined: there are none. */
  readonly takeBack?: () => Promise<void>
}

const CLIENT_ID = /^[0-9a-f]{40}$/

const readClientId = ({ clientId }: Message) =>
  typeof clientId === 'string' && CLIENT_ID.test(clientId) ? clientId : ''

const keepId = ({ id }: Message): string | null => {
  const text = id === undefined ? undefined : JSON.stringify(id)
  return text !== undefined && text.length <= MAX_KEPT_ID_CHARACTERS ? text : null
}

const withoutEvents = (answer: Answer): Delivery => ({ texts: [JSON.stringify(answer)] })

function endHold(message: Message, over: HoldEnd): Answer {
  switch (over) {
    case 'no token':
    case 'no valid token':
      return refuseUnknown(message, over)
    case 'replaced':
      return endConnect(message, 'later')
    case 'disconnected':
      return endConnect(message, 'never')
    default:
      return endConnect(message, 'at once')
  }
}

/** Answers the messages of CometD clients. (docs/reference/api/streaming.md#cometd) */
export class CometD {
  readonly #services: CometDServices
  readonly #clients: StreamClients
  readonly #held: HeldConnects
  readonly #reader: EventReader
  readonly #faults: MessageFaults | undefined
  /** An event wakes all clients: the process does what else there is to do between two of them. */
  readonly #turns = new FewAtATime(1)

  constructor(services: CometDServices) {
    this.#services = services
    this.#clients = new StreamClients(services.reserved, services.maxClients)
    this.#held = new HeldConnects(this.#clients)
    this.#reader = new EventReader(services.feed)
    const { faults } = services
    this.#faults = faults && new MessageFaults(faults, this.#clients)
  }

  /**
   * Answers one message or a list of them. A connect is held if it comes alone, so that it keeps no other message waiting.
   * @throws ApiError JSON_PARSER_ERROR
   */
  async answer(sent: unknown, sender: Sender): Promise<Answers> {
    const messages = Array.isArray(sent) ? sent : [sent]
    if (!messages.every(isObject)) {
      throw new ApiError('JSON_PARSER_ERROR', 'The request is not a Bayeux message or a list of them')
    }
    if (messages.length > MAX_MESSAGES) {
      throw new ApiError('JSON_PARSER_ERROR', `The request has more than ${MAX_MESSAGES} messages`)
    }
    const deliveries: Delivery[] = []
    const had = new Set<unknown>()
    for (const message of messages) {
      const { channel } = message
      // A second connect would take the events of the first one for received, and a client needs no second handshake.
      const isRepeated = had.has(channel) && (channel === '/meta/connect' || channel === '/meta/handshake')
      had.add(channel)
      deliveries.push(
        isRepeated
          ? withoutEvents(refuse(message, ONCE_IN_A_REQUEST))
          : await this.#answerOne(message, sender, messages.length === 1),
      )
    }
    return {
      body: new Json(`[${deliveries.flatMap(({ texts }) => texts).join()}]`),
      takeBack: async () => {
        for (const { takeBack } of deliveries) await takeBack?.()
      },
    }
  }

  async #answerOne(message: Message, sender: Sender, isAlone: boolean): Promise<Delivery> {
    try {
      const follower = await sender.identify()
      if (typeof follower === 'string') return withoutEvents(refuseUnknown(message, follower))
      const request = { message, follower, clientId: readClientId(message) }
      const fault = await this.#faults?.meet(request, sender)
      const delivery =
        fault === undefined ? await this.#answerKnown(request, sender, isAlone) : withoutEvents(fault.refusal)
      if (fault?.losesClient) this.#held.wake(request.clientId)
      this.#faults?.note(request, delivery.texts.at(-1)!, fault?.name)
      return delivery
    } catch (thrown) {
      const { status, message: text } = this.#services.toApiError(thrown)
      const error = `${status}::${text}`
      return withoutEvents(status < 500 ? refuse(message, error) : refuseForNow(message, error))
    }
  }

  async #answerKnown(request: Request, sender: Sender, isAlone: boolean): Promise<Delivery> {
    const { message } = request
    if (message.channel !== '/meta/connect') return withoutEvents(await this.#carryOut(request))
    const wrongType = findWrongType(message)
    if (wrongType !== undefined) return withoutEvents(refuse(message, wrongType))
    return await this.#connect(request, sender, isAlone ? findPatience(message) : 0)
  }

  #carryOut(request: Request): Answer | Promise<Answer> {
    const { channel } = request.message
    switch (channel) {
      case '/meta/handshake':
        return this.#shakeHands(request)
      case '/meta/subscribe':
        return this.#subscribe(request)
      case '/meta/unsubscribe':
        return this.#unsubscribe(request)
      case '/meta/disconnect':
        return this.#disconnect(request)
    }
    if (typeof channel !== 'string' || channel === '') return refuse(request.message, NO_CHANNEL)
    if (channel.startsWith('/meta/')) return refuse(request.message, '404::Unknown meta channel')
    return refuse(request.message, '403::denied_by_security_policy:publish_denied')
  }

  async #shakeHands({ message, follower }: Request): Promise<Answer> {
    const wrongType = findWrongTypes(message)
    if (wrongType !== undefined) return refuse(message, wrongType)
    const clientId = await this.#clients.open(follower)
    return clientId === undefined ? refuseOneMore(message) : greet(message, clientId)
  }

  async #subscribe(request: Request): Promise<Answer> {
    const { message, follower, clientId } = request
    const names = readChannels(message)
    if (typeof names === 'string') return refuse(message, names)
    if (names.length > MAX_SUBSCRIPTIONS) throw tooManyChannels()
    const refusal = this.#findClosedChannel(request, names)
    if (refusal !== undefined) return refusal
    const wrong = findWrongReplay(message)
    if (wrong !== undefined) return refuse(message, wrong)
    const bounds = await this.#services.feed.bounds(follower.org)
    const wanted = new Map<string, number | undefined>()
    for (const name of names) {
      const replay = findReplay(message, name)
      const position = Number.isSafeInteger(replay) ? findStart(Number(replay), bounds) : undefined
      if (replay !== undefined && position === undefined) return refuse(message, wrongReplay(replay))
      wanted.set(name, position)
    }
    const client = await this.#clients.change(clientId, follower, (before) => {
      const known = new Map(before.subscriptions.map((one) => [one.channel, one]))
      const added = [...wanted].map(
        ([channel, position]) =>
          // Who subscribes again, and does not say from where on, goes on.
          (position === undefined ? known.get(channel) : undefined) ?? {
            channel,
            position: position ?? bounds.last,
          },
      )
      return { subscriptions: addSubscriptions(before, added) }
    })
    if (client === undefined) return refuseLostClient(message)
    this.#held.wake(clientId)
    return succeed(message, { subscription: message.subscription })
  }

  /** The refusal for the first channel that is not there, or not for this follower. */
  #findClosedChannel({ message, follower }: Request, names: readonly string[]): Answer | undefined {
    for (const name of names) {
      try {
        findChannel(follower.subscriber, name)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'NOT_FOUND') {
          return refuse(message, noSuchChannel(name))
        }
        throw error
      }
    }
    return undefined
  }

  async #unsubscribe({ message, follower, clientId }: Request): Promise<Answer> {
    const names = readChannels(message)
    if (typeof names === 'string') return refuse(message, names)
    const client = await this.#clients.change(clientId, follower, ({ subscriptions }) => ({
      subscriptions: subscriptions.filter(({ channel }) => !names.includes(channel)),
    }))
    if (client === undefined) return refuseLostClient(message)
    this.#held.wake(clientId)
    return succeed(message, { subscription: message.subscription })
  }

  async #disconnect({ message, follower, clientId }: Request): Promise<Answer> {
    if (!(await this.#clients.close(clientId, follower))) return refuseLostClient(message)
    this.#held.disconnect(clientId)
    return succeed(message)
  }

  /** @param patience how long it may be held, in milliseconds */
  async #connect(request: Request, sender: Sender, patience: number): Promise<Delivery> {
    const { message, follower, clientId } = request
    const sentBy = keepId(message)
    let isRepeated = false
    const connect = randomUUID()
    const begin = (before: StreamClient) => {
      isRepeated = sentBy !== null && before.sentBy === sentBy
      const subscriptions = isRepeated ? withoutSent(before) : withSent(before.subscriptions)
      return { connect, subscriptions, sentBy: null }
    }
    const client = await this.#clients.change(clientId, follower, begin, patience)
    if (client === undefined) return withoutEvents(refuseLostClient(message))
    const hold = new Hold(client, async () => {
      const now = await sender.identify()
      return typeof now === 'string' ? now : undefined
    })
    const leave = () => hold.end('left')
    sender.left.addEventListener('abort', leave, { once: true })
    if (sender.left.aborted) leave()
    const giveUp = () => hold.end('time is up')
    const timer = setTimeout(giveUp, patience)
    if (patience === 0) giveUp()
    this.#held.begin(hold)
    try {
      // A message that comes once more is answered with the same events once more, and not for ever.
      return await this.#follow(request, sender, hold, isRepeated ? null : sentBy)
    } finally {
      clearTimeout(timer)
      sender.left.removeEventListener('abort', leave)
      this.#held.release(hold)
    }
  }

  /** Waits for events, until the hold is over. */
  async #follow(request: Request, sender: Sender, hold: Hold, sentBy: string | null): Promise<Delivery> {
    const { message, clientId } = request
    for (;;) {
      const follower = await sender.identify()
      if (typeof follower === 'string') return withoutEvents(refuseUnknown(message, follower))
      const { over } = hold
      if (over === 'left') await this.#clients.release(hold.client, {})
      if (isBroken(over)) return withoutEvents(endHold(message, over))
      const delivery = await this.#deliver(request, follower.subscriber, hold, sentBy)
      if (delivery !== undefined) return delivery
      if (!hold.interruption.aborted) continue
      hold.resume()
      const client = await this.#clients.find(clientId, follower)
      if (client === undefined && hold.over !== 'disconnected')
        return withoutEvents(refuseLostClient(message))
      if (client === undefined || client.connect !== hold.client.connect) hold.end('replaced')
      else hold.client = client
    }
  }

  /**
   * Reads what there is, and waits if there is nothing.
   * @returns undefined: there may be something now, or something else has happened
   */
  async #deliver(
    { message, follower }: Request,
    subscriber: Subscriber,
    hold: Hold,
    sentBy: string | null,
  ): Promise<Delivery | undefined> {
    const { feed, deliver, faults } = this.#services
    const { client, over, interruption } = hold
    const meet: MeetChannel | undefined =
      faults &&
      ((channel, met) =>
        meetFaults(
          { faults, feed },
          { caller: follower.caller, route: routeOf(message), key: client.id },
          ({ object }) => [channel, ownChannel(object)],
          met,
        ))
    let read = await this.#reader.read(subscriber, client.subscriptions, { meet })
    const found = read?.texts.length ?? 0
    const allowed = found === 0 ? 0 : await deliver(subscriber.org, found)
    if (found === 0 ? read?.isUsedUp : allowed === 0) {
      await this.#clients.release(client, {})
      return withoutEvents(refuseDelivery(message))
    }
    if (allowed < found)
      read = await this.#reader.read(subscriber, client.subscriptions, { meet, max: allowed })
    if (read === undefined) {
      // Events are lost to it. It begins again, from a position that is its own choice.
      await this.#clients.close(client.id, follower)
      return withoutEvents(refuseLostClient(message))
    }
    const { texts, subscriptions, after } = read
    if (texts.length > 0) {
      const stored = await this.#clients.release(client, { subscriptions, sentBy })
      if (stored === undefined) {
        hold.wake()
        return undefined
      }
      await this.#turns.next()
      const end = JSON.stringify(endConnect(message, 'at once'))
      return { texts: [...texts, end], takeBack: () => this.#takeBack(stored, follower) }
    }
    if (over !== undefined) {
      // If the client is another one by now, its next connect reads the same again.
      await this.#clients.release(client, { subscriptions: withSent(subscriptions) })
      return withoutEvents(endHold(message, over))
    }
    if (feed.isClosed) return withoutEvents(endConnect(message, 'later'))
    hold.client = { ...client, subscriptions: withSent(subscriptions) }
    await feed.grown(subscriber.org, after, interruption)
    return undefined
  }

  /** Has the next connect send again what did not come. */
  async #takeBack({ id, connect }: StreamClient, owner: Owner): Promise<void> {
    await this.#clients.change(id, owner, (client) =>
      client.connect === connect ? { subscriptions: withoutSent(client), sentBy: null } : {},
    )
  }
}
