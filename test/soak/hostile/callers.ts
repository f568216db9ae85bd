import { Worker } from 'node:worker_threads'
import type { CallersPlace } from './callers-thread.ts'

/** A call of somebody who has nothing to do with the attack. */
export interface CallerCall {
  readonly kind: string
  /** When it was sent, on the clock of `now()`. */
  readonly began: number
  readonly ms: number
  readonly status: string
}

/** Callers of each API, in a thread of their own: what the soak itself computes delays none of them. */
export class Callers {
  readonly #worker: Worker

  constructor(location: CallersPlace) {
    this.#worker = new Worker(new URL('./callers-thread.ts', import.meta.url), { workerData: location })
  }

  /** Ends them and gives their calls, once those under way are answered. */
  async end(): Promise<readonly CallerCall[]> {
    const calls = new Promise<readonly CallerCall[]>((resolve, reject) => {
      this.#worker.once('message', resolve).once('error', reject)
    })
    this.#worker.postMessage('end')
    const result = await calls
    await this.#worker.terminate()
    return result
  }
}

/** In milliseconds; 0 of none. */
export function percentile(calls: readonly CallerCall[], share: number): number {
  const sorted = calls.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
