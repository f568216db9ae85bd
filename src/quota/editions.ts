import type { Config } from '../config/config.ts'
import type { EventUse } from './event-count.ts'

/** The limits of an edition of the platform. (docs/reference/api/limits-and-versions.md#allocation) */
interface Edition {
  /** Calls in 24 hours, before licenses. */
  readonly calls: number
  /** Calls that each license adds. */
  readonly callsPerLicense: number
  /** Maximum number of concurrent long calls; above it new calls are refused. */
  readonly longCalls: number
  /** Maximum number of clients that follow events at the same time. */
  readonly followers: number
  /** Events that may be sent to clients in 24 hours, those of each client counted. */
  readonly deliveredEvents: number
  /** Platform events that may be published in an hour. */
  readonly publishedEvents: number
}

const LARGEST = {
  ...{ calls: 100_000, callsPerLicense: 5000, longCalls: 25 },
  ...{ followers: 2000, deliveredEvents: 50_000, publishedEvents: 250_000 },
} as const

/** Licenses add nothing to a developer edition. */
export const EDITIONS = {
  developer: {
    ...{ calls: 15_000, callsPerLicense: 0, longCalls: 5 },
    ...{ followers: 20, deliveredEvents: 10_000, publishedEvents: 50_000 },
  },
  enterprise: {
    ...{ calls: 100_000, callsPerLicense: 1000, longCalls: 25 },
    ...{ followers: 1000, deliveredEvents: 25_000, publishedEvents: 250_000 },
  },
  unlimited: LARGEST,
  performance: LARGEST,
} as const satisfies Readonly<Record<Config['edition'], Edition>>

/** How many calls an org may make. */
interface Allocation {
  /** Calls in 24 hours. */
  readonly calls: number
  /** False: calls are counted but never refused. */
  readonly isEnforced: boolean
}

/** The allocation that the settings give each org. (docs/reference/api/limits-and-versions.md#allocation) */
export function getAllocation({ edition, licenses, addedCalls, allocation }: Config): Allocation {
  const { calls, callsPerLicense } = EDITIONS[edition]
  const ofEdition = calls + licenses * callsPerLicense + addedCalls
  return {
    calls: typeof allocation === 'number' ? allocation : ofEdition,
    isEnforced: allocation !== 'unlimited',
  }
}

/** How many events an org may have, and how many are refused above: none where they are only counted. */
interface EventAllocation {
  readonly max: number
  readonly limit: number | undefined
}

/** The events that the settings give each org. (docs/reference/api/limits-and-versions.md#events) */
export function getEventAllocation(config: Config): Readonly<Record<EventUse, EventAllocation>> {
  const { deliveredEvents, publishedEvents } = EDITIONS[config.edition]
  const allocate = (setting: Config['allocation'], ofEdition: number) => {
    const max = typeof setting === 'number' ? setting : ofEdition
    return { max, limit: setting === 'unlimited' ? undefined : max }
  }
  return {
    delivered: allocate(config.deliveredEvents, deliveredEvents),
    published: allocate(config.publishedEvents, publishedEvents),
  }
}
