import { ApiError } from '../../base/api-error.ts'
import type { StreamClient, Subscription } from './stream-clients.ts'

/** Channels that a client may follow. */
export const MAX_SUBSCRIPTIONS = 50

/** Returns the subscriptions of a client that did not receive the latest answer. */
export const withoutSent = ({ subscriptions }: StreamClient): readonly Subscription[] =>
  subscriptions.map(({ channel, position }) => ({ channel, position }))

/** Returns the subscriptions of a client that received it. */
export const withSent = (subscriptions: readonly Subscription[]): readonly Subscription[] =>
  subscriptions.map(({ channel, position, sent }) => ({ channel, position: sent ?? position }))

export const tooManyChannels = () =>
  new ApiError('LIMIT_EXCEEDED', `A client follows ${MAX_SUBSCRIPTIONS} channels at most`)

/** @throws ApiError LIMIT_EXCEEDED */
export function addSubscriptions(
  { subscriptions }: StreamClient,
  added: readonly Subscription[],
): readonly Subscription[] {
  const all = new Map([...subscriptions, ...added].map((one) => [one.channel, one]))
  if (all.size <= MAX_SUBSCRIPTIONS) return [...all.values()]
  throw tooManyChannels()
}
