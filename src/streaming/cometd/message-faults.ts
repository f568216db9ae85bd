import type { FollowerFaults, FollowerRoute } from '../../faults/follower-faults.ts'
import {
  type Answer,
  findReplay,
  type Message,
  readChannels,
  refuse,
  refuseLostClient,
  refuseUnknown,
  wrongReplay,
} from './bayeux.ts'
import type { Request, Sender } from './request.ts'
import type { StreamClients } from './stream-clients.ts'

/** A message that a fault has refused. */
interface RefusedMessage {
  readonly name: string
  readonly refusal: Answer
  /** The client is gone. */
  readonly losesClient: boolean
}

/** Messages that plans may name; all others are of the last one. */
const MESSAGES: ReadonlySet<unknown> = new Set(
  ['handshake', 'subscribe', 'connect', 'unsubscribe', 'disconnect'].map((name) => `/meta/${name}`),
)

/** The route of a message in plans and reports: `/cometd/connect`. */
export const routeOf = ({ channel }: Message): FollowerRoute => ({
  method: 'POST',
  route: MESSAGES.has(channel) ? String(channel).replace('/meta', '/cometd') : '/cometd/publish',
})

/** The status of an error, and the code by which a report knows it. */
function readError(text: string): { readonly status: number; readonly code: string } {
  const { error } = JSON.parse(text) as { readonly error?: string }
  if (error === undefined) return { status: 200, code: '' }
  const status = Number(/^\d{3}/.exec(error)?.[0] ?? 400)
  if (status === 401) return { status, code: 'INVALID_SESSION_ID' }
  if (error === '403::Unknown client') return { status, code: 'UNKNOWN_CLIENT' }
  if (error.includes('daily limit exceeded')) return { status, code: 'REQUEST_LIMIT_EXCEEDED' }
  return { status, code: 'INVALID_INPUT' }
}

const namesOf = (message: Message): readonly string[] => {
  const names = readChannels(message)
  return typeof names === 'string' ? [] : names
}

/** The faults that messages of CometD clients meet before they are carried out. */
export class MessageFaults {
  readonly #faults: FollowerFaults
  readonly #clients: StreamClients

  constructor(faults: FollowerFaults, clients: StreamClients) {
    this.#faults = faults
    this.#clients = clients
  }

  async meet(request: Request, sender: Sender): Promise<RefusedMessage | undefined> {
    const { message, follower, clientId } = request
    if (!(await this.#faults.areSet(follower.org))) return undefined
    const channels = await this.#channelsOf(request)
    const replays = channels.map((name) => findReplay(message, name))
    const position = replays.find((replay) => typeof replay === 'number' && replay >= 0)
    const following = { channels, hasPosition: position !== undefined }
    const fault = await this.#faults.matchMessage(follower.caller, routeOf(message), following)
    if (fault === undefined) return undefined
    const { name, effect } = fault
    if (effect.token !== undefined) {
      await sender.loseToken(follower.caller.clientId)
      return { name, refusal: refuseUnknown(message, 'no valid token'), losesClient: false }
    }
    if (effect.replay !== undefined)
      return { name, refusal: refuse(message, wrongReplay(position)), losesClient: false }
    await this.#clients.close(clientId, follower)
    return { name, refusal: refuseLostClient(message), losesClient: true }
  }

  /** @param text JSON of the answer */
  note({ message, follower }: Request, text: string, fault = ''): void {
    const asked = JSON.stringify([message.subscription, message.ext])
    this.#faults.note(follower.caller, routeOf(message), { ...readError(text), fault, asked })
  }

  /** The channels that a message names; of others those that the client follows. */
  async #channelsOf({ message, follower, clientId }: Request): Promise<readonly string[]> {
    if (message.subscription !== undefined) return namesOf(message)
    const client = clientId === '' ? undefined : await this.#clients.find(clientId, follower)
    return client?.subscriptions.map(({ channel }) => channel) ?? []
  }
}
