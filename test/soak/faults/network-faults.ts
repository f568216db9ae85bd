import type { PausableProxy } from '../../support/pausable-proxy.ts'
import type { Fault } from './fault.ts'

/** Of a connection that is cut: some statements get their answers, and each connection is cut soon. */
const CUT_WITHIN_BYTES = 20_000

const DELAY_MS = 200

const disturbing = (name: string, proxy: PausableProxy, begin: () => void): Fault => ({
  name,
  begin: async () => begin(),
  end: async () => proxy.heal(),
})

/** Faults between a server and its database. */
export const networkFaults = (proxy: PausableProxy) => ({
  blackHole: disturbing('black-hole', proxy, () => proxy.swallow()),
  cut: disturbing('cut', proxy, () => proxy.cutWithin(CUT_WITHIN_BYTES)),
  // The database takes writes, only late.
  delay: { ...disturbing('delay', proxy, () => proxy.delay(DELAY_MS)), leavesDatabase: true },
})
