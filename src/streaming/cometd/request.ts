import type { FollowingCaller } from '../../faults/follower-faults.ts'
import type { Subscriber } from '../channel.ts'
import type { Message, Unknown } from './bayeux.ts'
import type { Owner } from './stream-client.sql.ts'

/** Who follows events. */
interface Follower extends Owner {
  readonly subscriber: Subscriber
  /** As plans of faults match it. */
  readonly caller: FollowingCaller
}

/** Where messages come from. */
export interface Sender {
  /** Who it is by now. */
  identify(): Promise<Follower | Unknown>
  /** Takes its token away, which is one of an app. */
  loseToken(clientId: string | undefined): Promise<void>
  /** Aborts when nobody waits for the answers any more. */
  readonly left: AbortSignal
}

/** A message of a client that is there. */
export interface Request {
  readonly message: Message
  readonly follower: Follower
  /** No client has an empty one. */
  readonly clientId: string
}
