import type { DeployedOrg } from './deployed-org.ts'

/** A delivery as the functions of a receiver get it. */
export interface Delivery {
  /** Id of its record in the delivery log, a WebhookDelivery. */
  readonly id: string
  /** When it was accepted, in ISO 8601. */
  readonly receivedAt: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, unpacked. */
  readonly bytes: Uint8Array
  /** How often it was tried before, since it came or was last replayed. */
  readonly attempts: number
  /** True if it is being replayed. */
  readonly isReplay: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: events have any type unless the receiver declares one
type AnyEvent = any

/** A receiver of signed deliveries. (docs/reference/api/custom-resources.md#webhooks) */
export interface WebhookDefinition<Event = AnyEvent> {
  /** Below `/services/customrest`: `/github`. */
  readonly path: string
  /** The shared secret; two of them while one is replaced by the other. */
  readonly secret: string | undefined | readonly (string | undefined)[]
  /**
   * Where the event's own id is: a path in its JSON (`delivery.id`), or a function. Without one: a hash of the body.
   */
  readonly eventId?: string | ((event: Event, delivery: Delivery) => unknown)
  /** The object that keeps the events: one record for each event id. */
  readonly object: string
  /** Its external id field that holds the event id; default the only one that it has. */
  readonly key?: string
  /** Further values of an event's record. */
  readonly record?: (event: Event, delivery: Delivery) => Readonly<Record<string, unknown>> | undefined
  /** Processes a new event in one transaction with its record. Not called for a known event. */
  readonly process?: (event: Event, org: DeployedOrg, delivery: Delivery) => unknown
  /** How the sender signs: `hub` (X-Hub-Signature-256, the default), `stripe` or `standard`. */
  readonly signature?: 'hub' | 'stripe' | 'standard'
  /** Username of the run-as user; by default the guest. */
  readonly runAs?: string
  /** Seconds to wait after each failed attempt; after the last of them the delivery is dead. */
  readonly retries?: readonly number[]
  /** Time limit of processing in seconds; default 60. */
  readonly seconds?: number
  /** Maximum size of a body in bytes; default 26,214,400. */
  readonly maxBytes?: number
  /** Maximum deliveries that this process accepts in a second; default no limit. */
  readonly perSecond?: number
}

/** Makes the default export of a file that receives signed deliveries. */
export function webhook<Event = AnyEvent>({ path, ...definition }: WebhookDefinition<Event>) {
  return { path, webhook: definition }
}
