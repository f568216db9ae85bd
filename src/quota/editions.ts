import type { Config } from '../config/config.ts'

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
}

/** Licenses add nothing to a developer edition. */
export const EDITIONS = {
  developer: { calls: 15_000, callsPerLicense: 0, longCalls: 5, followers: 20 },
  enterprise: { calls: 100_000, callsPerLicense: 1000, longCalls: 25, followers: 1000 },
  unlimited: { calls: 100_000, callsPerLicense: 5000, longCalls: 25, followers: 2000 },
  performance: { calls: 100_000, callsPerLicense: 5000, longCalls: 25, followers: 2000 },
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
