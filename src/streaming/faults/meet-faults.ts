import type {
  FollowerFaults,
  FollowerRoute,
  FollowingCaller,
  MetFault,
} from '../../faults/follower-faults.ts'
import type { EventFeed, Read } from '../event-feed.ts'
import type { EventMessage } from '../event-message.ts'
import { countAlike, isWholeChange, merge, toGap } from './distort-events.ts'

/** The events to send after faults were applied to those that were read. */
export interface Met extends Read {
  /** The next one may not be sent, because the org has had too many. */
  readonly isUsedUp: boolean
}

/** Somebody who follows events. */
export interface MeetingFollower {
  readonly caller: FollowingCaller
  readonly route: FollowerRoute
  /** Tells the follower from all others. */
  readonly key: string
}

interface Services {
  readonly faults: FollowerFaults
  readonly feed: Pick<EventFeed, 'copy' | 'reset'>
}

/**
 * Has events meet the faults that are planned for them, one after the other.
 * @param channelsOf the names of the channels that an event comes by
 */
export async function meetFaults(
  { faults, feed }: Services,
  { caller, route, key }: MeetingFollower,
  channelsOf: (message: EventMessage) => readonly string[],
  { messages, position }: Read,
): Promise<Met> {
  if (messages.length === 0 || !(await faults.areSet(caller.org)))
    return { messages, position, isUsedUp: false }
  const sent: EventMessage[] = []
  // Comparing events is costly.
  const merges = await faults.areSet(caller.org, ({ event }) => event === 'merged')

  const find = (message: EventMessage, alike: number): Promise<MetFault | undefined> => {
    const channels = channelsOf(message)
    const event = { isWholeChange: isWholeChange(message), isCopy: message.isCopy, alike }
    const name = JSON.stringify([key, channels[0], message.position])
    return faults.matchEvent(caller, route, { channels, hasPosition: false, event }, name)
  }

  const { org } = caller
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]!
    const alike = merges ? countAlike(message, messages.slice(index + 1)) : 0
    const fault = await find(message, alike)
    const before = { messages: sent, position: message.position - 1, isUsedUp: false }
    if (fault === undefined) sent.push(message)
    else if (await faults.isSilent(caller, fault)) return before
    else if (fault.effect.limit !== undefined) return { ...before, isUsedUp: true }
    else if (fault.effect.stream !== undefined) {
      await feed.reset(org)
      return before
    } else if (fault.effect.event === 'merged') {
      sent.push(merge(message, messages.slice(index + 1, index + 1 + alike)))
      index += alike
    } else {
      if (fault.effect.event === 'twice') await feed.copy(org, message.position)
      sent.push(fault.effect.event === 'gap' ? toGap(message) : message)
    }
  }
  return { messages: sent, position, isUsedUp: false }
}
