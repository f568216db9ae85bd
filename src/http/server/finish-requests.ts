import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningCalls } from '../../quota/running-calls.ts'
import type { OpenConnections } from './open-connections.ts'

/** How often the connections are checked, in milliseconds. */
const CHECK_MS = 20

/** How long a stopping server waits for the rest of a request, in milliseconds. */
const STALL_MS = 2000

interface Options {
  readonly connections: readonly OpenConnections[]
  readonly running: RunningCalls
  /** When calls that still run are cancelled, and when their connections are closed; on the clock of `performance.now`. */
  readonly cancelAt: number
  readonly closeAt: number
}

/**
 * Lets requests under way finish on listeners that accept no new connections.
 * @returns whether all of them did; otherwise they were cancelled
 */
export async function finishRequests({ connections, running, cancelAt, closeAt }: Options): Promise<boolean> {
  const isDone = () => running.count === 0 && connections.every(({ isEmpty }) => isEmpty)
  const stallMs = Math.min(STALL_MS, (cancelAt - performance.now()) / 2)
  const waitUntil = async (time: number) => {
    while (!isDone() && performance.now() < time) {
      for (const one of connections) one.closeIdle(stallMs)
      await sleep(CHECK_MS)
    }
    return isDone()
  }
  if (await waitUntil(cancelAt)) return true
  running.cancelAll()
  if (!(await waitUntil(closeAt))) for (const one of connections) one.closeAll()
  return false
}
