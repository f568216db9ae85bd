import { setTimeout as sleep } from 'node:timers/promises'
import { hangMs, stopMs } from './bounds.ts'
import type { Fault } from './fault.ts'
import { Load } from './load.ts'
import type { Site } from './site.ts'

/** How a server ended that was told to stop in the middle of a fault. */
export interface Stop {
  readonly load: Load
  readonly ms: number
  /** `late`: it had to be killed. */
  readonly code: number | 'late'
}

/** The fault affects calls by then, in milliseconds. */
const BEFORE_MS = 2000

/** Begins the fault under load, sends SIGTERM, and starts the server again when the fault is over. */
export async function stopInFault(site: Site, fault: Fault): Promise<Stop> {
  const load = await Load.begin(site.tenants, `${fault.name}-stop`, hangMs(site.bounds))
  await sleep(BEFORE_MS / 2)
  await fault.begin()
  let stop: Omit<Stop, 'load'>
  try {
    if (!fault.isMomentary) await sleep(BEFORE_MS)
    const { server } = site
    const began = performance.now()
    const ending = server.end('SIGTERM').then(({ code }) => code ?? 'late')
    const code = await Promise.race([ending, sleep(stopMs(site.bounds), 'late' as const)])
    stop = { code, ms: performance.now() - began }
    if (code === 'late') await server.end('SIGKILL')
  } finally {
    await fault.end()
  }
  await load.end()
  await site.start()
  return { ...stop, load }
}
