import type { Config } from '../config.ts'

/** What an edition of the platform allows. (docs/reference/api/limits-and-versions.md#allocation) */
interface Edition {
  /** Calls in 24 hours, without licences. */
  readonly calls: number
  /** Calls that each licence adds. */
  readonly callsPerLicense: number
  /** So many long calls may run at once; more of them keep new calls out. */
  readonly longCalls: number
}

/** A developer edition has no licences to add. */
export const EDITIONS = {
  developer: { calls: 15_000, callsPerLicense: 0, longCalls: 5 },
  enterprise: { calls: 100_000, callsPerLicense: 1000, longCalls: 25 },
  unlimited: { calls: 100_000, callsPerLicense: 5000, longCalls: 25 },
  performance: { calls: 100_000, callsPerLicense: 5000, longCalls: 25 },
} as const satisfies Readonly<Record<Config['edition'], Edition>>

/** How many calls an org may make. */
export interface Allocation {
  /** Calls in 24 hours. */
  readonly calls: number
  /** False: they are counted and never refused. */
  readonly isEnforced: boolean
}

/** The allocation of each org by the settings. (docs/reference/api/limits-and-versions.md#allocation) */
export function allocationOf({ edition, licenses, addedCalls, allocation }: Config): Allocation {
  const { calls, callsPerLicense } = EDITIONS[edition]
  const ofEdition = calls + licenses * callsPerLicense + addedCalls
  return {
    calls: typeof allocation === 'number' ? allocation : ofEdition,
    isEnforced: allocation !== 'unlimited',
  }
}
