import { isObject } from '../../base/json.ts'
import { invalidReplay } from '../replay.ts'

/*
 * The messages of Bayeux, the protocol of CometD, by long polling. Their texts are what clients compare.
 * (docs/reference/api/streaming.md#cometd)
 */

/** A message that a client sent, whatever is in it. */
export type Message = Readonly<Record<string, unknown>>

/** A message of the server. */
export type Answer = Readonly<Record<string, unknown>>

/** The only way of transport. */
const LONG_POLLING = 'long-polling'

/** How long a connect is held, in milliseconds. */
const HOLD_MS = 110_000

/** How long a client may stay away after its connect was answered, in milliseconds. */
export const ABSENCE_MS = 40_000

/** When a client comes again that has another connect or whose server stops, and one that the server could not answer. */
const LATER_MS = 1000
const FAILED_MS = 5000

const RETRY = { reconnect: 'retry', interval: 0, timeout: HOLD_MS }
const NONE = { reconnect: 'none', interval: 0 }

/** Whatever the server can do, as clients look for it before they ask for events from an earlier one on. */
const EXTENSIONS = { replay: true, 'payload.format': true }

/** Why somebody is not known. */
export type Unknown = 'no token' | 'no valid token'

const UNKNOWN_TEXTS: Readonly<Record<Unknown, string>> = {
  'no token': '401::Request requires authentication',
  'no valid token': '401::Authentication invalid',
}

/** What an answer repeats of its message. */
function echo({ channel, id, clientId }: Message): Answer {
  return {
    ...(typeof clientId === 'string' && { clientId }),
    channel: typeof channel === 'string' ? channel : null,
    ...((typeof id === 'string' || typeof id === 'number') && { id }),
  }
}

/** @param more `advice`, for one */
export const refuse = (message: Message, error: string, more: Answer = {}): Answer => ({
  ...echo(message),
  ...more,
  error,
  successful: false,
})

export const succeed = (message: Message, more: Answer = {}): Answer => ({
  ...echo(message),
  ...more,
  successful: true,
})

export const greet = (message: Message, clientId: string): Answer => ({
  ...echo(message),
  clientId,
  version: '1.0',
  minimumVersion: '1.0',
  supportedConnectionTypes: [LONG_POLLING],
  ext: EXTENSIONS,
  advice: RETRY,
  successful: true,
})

/** @param reason is for whoever looks into it: the error is the same for all */
const denyHandshake = (message: Message, reason: string): Answer =>
  refuse(message, '403::Handshake denied', {
    advice: { reconnect: 'none' },
    ext: { sfdc: { failureReason: reason }, ...EXTENSIONS },
  })

/** The client may not go on with this token. */
export function refuseUnknown(message: Message, why: Unknown): Answer {
  const reason = UNKNOWN_TEXTS[why]
  if (message.channel === '/meta/handshake') return denyHandshake(message, reason)
  return refuse(message, reason, { advice: NONE })
}

/** The org has as many clients as it may have. */
export const refuseOneMore = (message: Message): Answer =>
  denyHandshake(message, '403::Organization concurrent user limit exceeded')

/** The client has to begin again. */
export const refuseLostClient = (message: Message): Answer =>
  refuse(message, '403::Unknown client', { advice: { reconnect: 'handshake', interval: 0 } })

/** The client may try it again. */
export const refuseForNow = (message: Message, error: string): Answer =>
  refuse(message, error, { advice: { ...RETRY, interval: FAILED_MS } })

/** The org has had as many events sent as it may: those that wait stay where they are. */
export const refuseDelivery = (message: Message): Answer =>
  refuseForNow(message, '403::Organization total events daily limit exceeded')

/** When the client comes again after a connect. */
export type Return = 'at once' | 'later' | 'never'

const ADVICE: Readonly<Record<Return, Answer>> = {
  'at once': RETRY,
  later: { ...RETRY, interval: LATER_MS },
  never: NONE,
}

export const endConnect = (message: Message, comesAgain: Return): Answer =>
  succeed(message, { advice: ADVICE[comesAgain] })

/** Why a connection cannot be of the types that a message names; undefined: it can. */
export function findWrongType({ connectionType }: Message): string | undefined {
  return connectionType === LONG_POLLING ? undefined : wrongType(connectionType)
}

/** The same for a handshake, which may leave them out. */
export function findWrongTypes({ supportedConnectionTypes: types }: Message): string | undefined {
  if (!Array.isArray(types) || types.includes(LONG_POLLING)) return undefined
  return wrongType(types.filter((type) => typeof type === 'string').join())
}

const wrongType = (type: unknown) => `400::Invalid connection type {${typeof type === 'string' ? type : ''}}`

/** How long a client wants its connect to be held at most: its first ones have no time. */
export function findPatience({ advice }: Message): number {
  const timeout = isObject(advice) ? advice.timeout : undefined
  return typeof timeout === 'number' && timeout >= 0 ? Math.min(timeout, HOLD_MS) : HOLD_MS
}

export const NO_CHANNEL = '400::Channel name not specified'

/**
 * The names of the channels that a message is about.
 * @returns a text that says why there are none
 */
export function readChannels({ subscription }: Message): readonly string[] | string {
  const names: readonly unknown[] = Array.isArray(subscription) ? subscription : [subscription]
  const isName = (name: unknown): name is string => typeof name === 'string' && name !== ''
  if (names.length === 0 || !names.every(isName)) return NO_CHANNEL
  if (names.every((name) => name.startsWith('/'))) return [...new Set(names)]
  return "400::Channel subscriptions must start with a leading '/'"
}

export const ONCE_IN_A_REQUEST = '400::Only one message of this kind is answered in a request'

export const noSuchChannel = (name: string) =>
  `400::The channel you requested to subscribe to does not exist {${name}}`

export const wrongReplay = (replay: unknown) =>
  `400::${invalidReplay(typeof replay === 'number' ? replay : JSON.stringify(replay))}`

/** Why a subscription cannot say from which events on it wants those of its channels; undefined: it can, or does not say it. */
export function findWrongReplay({ ext }: Message): string | undefined {
  const replay = isObject(ext) ? ext.replay : undefined
  return replay === undefined || isObject(replay) ? undefined : wrongReplay(replay)
}

/** Returns from which event on a subscription wants those of a channel; undefined: it does not say. */
export function findReplay({ ext }: Message, channel: string): unknown {
  const replay = isObject(ext) ? ext.replay : undefined
  const name = channel.split('?', 1)[0]!
  return isObject(replay) && Object.hasOwn(replay, name) ? replay[name] : undefined
}
