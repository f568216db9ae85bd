import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ApiVersion } from '../base/api-version.ts'
import type { Clock } from '../base/clock.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { FaultEffect } from './fault-plan.ts'
import type { FaultStore, InjectedFault } from './fault-store.ts'
import type { Journal } from './journal/journal.ts'
import { type FaultCall, type Following, isAboutFollowers } from './match-call.ts'

/** For how many events it is remembered which fault they met: an event that is read once more does not count again. */
const MAX_REMEMBERED = 10_000

/** Who follows events, as plans match it. */
export interface FollowingCaller {
  readonly org: Org
  readonly clientId: string | undefined
  readonly username: string
  readonly version: ApiVersion
}

/** By what somebody follows: `POST /cometd/connect`, `GET /event-stream`. */
export interface FollowerRoute {
  readonly method: string
  readonly route: string
}

/** Outcome of a message. */
interface Outcome {
  readonly status: number
  readonly code: string
  readonly fault: string
  /** Equal where the same is asked for again. */
  readonly asked: string
}

/** A fault that an event met, and when. */
export interface MetFault extends InjectedFault {
  /** On the clock of `performance.now`. */
  readonly metAt: number
}

interface Services {
  readonly store: FaultStore
  readonly journal: Journal | undefined
  readonly clock: Clock
  readonly nameOfApp: (clientId: string) => Promise<string | undefined>
}

/** The faults of those who follow events: of their messages, and of the events that they get. */
export class FollowerFaults {
  readonly #services: Services
  readonly #met = new LRUCache<string, { readonly fault: MetFault | undefined }>({ max: MAX_REMEMBERED })

  constructor(services: Services) {
    this.#services = services
  }

  /** True if any plan of the org has such an effect: one for those who follow events. */
  async areSet(org: Org, isSuch: (effect: FaultEffect) => boolean = isAboutFollowers): Promise<boolean> {
    const plans = await this.#services.store.loadPlans(org)
    return plans.some(({ plan }) => isSuch(plan.effect))
  }

  /** The fault of a message, or of the beginning of a stream. */
  async matchMessage(
    caller: FollowingCaller,
    route: FollowerRoute,
    following: Omit<Following, 'event'>,
  ): Promise<InjectedFault | undefined> {
    const { store } = this.#services
    const call = await this.#describe(caller, route, { ...following, event: undefined })
    return (await store.matchCall(caller.org, call))[0]
  }

  /**
   * The fault of an event, which is the same if it is read again.
   * @param key of the event for this follower
   */
  async matchEvent(
    caller: FollowingCaller,
    route: FollowerRoute,
    following: Following,
    key: string,
  ): Promise<MetFault | undefined> {
    const remembered = this.#met.get(key)
    if (remembered !== undefined) return remembered.fault
    const call = await this.#describe(caller, route, following)
    const [matched] = await this.#services.store.matchCall(caller.org, call)
    const fault = matched && { ...matched, metAt: performance.now() }
    // Each try meets a limit again.
    if (fault?.effect.limit === undefined) this.#met.set(key, { fault })
    if (fault !== undefined)
      this.#write('event', caller, route, { status: 200, code: '', fault: fault.name, asked: key })
    return fault
  }

  /** True while a fault withholds an event and those behind it. */
  async isSilent({ org }: FollowingCaller, { name, effect, metAt }: MetFault): Promise<boolean> {
    const { silence } = effect
    if (silence === undefined) return false
    if (silence !== true && performance.now() - metAt >= silence) return false
    return this.#services.store.holds(org, name)
  }

  /** Writes a message and its outcome into the journal, as a call that is not counted. */
  note(caller: FollowingCaller, route: FollowerRoute, outcome: Outcome): void {
    this.#write('call', caller, route, outcome)
  }

  #write(
    kind: 'call' | 'event',
    { org, clientId, version }: FollowingCaller,
    { method, route }: FollowerRoute,
    { status, code, fault, asked }: Outcome,
  ): void {
    const { journal, clock } = this.#services
    const sameness = createHash('sha1')
      .update([clientId, route, asked].join('\n'))
      .digest('base64')
      .slice(0, 20)
    journal?.note(org.id, {
      ...{ kind, isCounted: false, beganAt: clock().getTime(), milliseconds: 0, clientId },
      ...{ method, route, version: version.text, status, code, fault },
      ...{ sameness, samenessInAnyVersion: sameness },
    })
  }

  async #describe(
    { org, clientId, username, version }: FollowingCaller,
    { method, route }: FollowerRoute,
    following: Following,
  ): Promise<FaultCall> {
    const { store, nameOfApp } = this.#services
    const plans = await store.loadPlans(org)
    const needsName = clientId !== undefined && plans.some(({ plan }) => plan.match?.app !== undefined)
    return {
      ...{ method, route, appId: clientId, username, version: version.major, following },
      appName: needsName ? await nameOfApp(clientId) : undefined,
      step: undefined,
      isDelivery: false,
    }
  }
}
