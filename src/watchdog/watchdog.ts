import { url as inspectorUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { heldWork } from '../base/exit-hold.ts'
import type { Observe } from '../base/observation.ts'
import { BEAT_MS, type BlockEnd, CELLS, FIND_REQUEST, type WatchdogData } from './cells.ts'

const ENTRY = new URL(
  import.meta.filename.endsWith('.js') ? './watchdog-thread.js' : './watchdog-thread.ts',
  import.meta.url,
)

interface Options extends Pick<WatchdogData, 'logLevel' | 'exitSeconds'> {
  readonly observe: Observe
  /** Returns the request being handled; undefined if there is none. */
  readonly findRequest: () => { readonly method: string; readonly route: string } | undefined
}

/** Reports blocks of this process's event loop, from a separate thread. */
export class Watchdog {
  readonly #worker: Worker
  readonly #beat: NodeJS.Timeout

  constructor({ logLevel, exitSeconds, observe, findRequest }: Options) {
    const cells = new Int32Array(new SharedArrayBuffer(8))
    const beat = () => {
      Atomics.add(cells, CELLS.beat, 1)
      Atomics.store(cells, CELLS.isInspected, inspectorUrl() === undefined ? 0 : 1)
    }
    beat()
    this.#beat = setInterval(beat, BEAT_MS).unref()
    Object.assign(globalThis, { [FIND_REQUEST]: findRequest })
    this.#worker = new Worker(ENTRY, {
      workerData: { cells, heldWork, logLevel, exitSeconds } satisfies WatchdogData,
      // The watchdog must not inherit the server's flags.
      execArgv: [],
    })
    this.#worker.unref()
    this.#worker.on('message', (end: BlockEnd) => observe({ kind: 'blocked', ...end }))
    this.#worker.on('error', (error) =>
      observe({ kind: 'notice', message: `The watchdog has ended: ${error.message}` }),
    )
  }

  async close(): Promise<void> {
    clearInterval(this.#beat)
    await this.#worker.terminate()
  }
}
