import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** A time during which a server's event loop served nobody. */
export interface Hold {
  /** On the clock of `now()`. */
  readonly began: number
  readonly ms: number
  /** How long the main thread itself had a processor meanwhile: much less than `ms` means that the machine was busy. */
  readonly cpuMs: number
}

/** The same clock in all processes of a machine, in milliseconds. */
export const now = () => performance.timeOrigin + performance.now()

export const NO_HOLD: Hold = { began: 0, ms: 0, cpuMs: 0 }

/** Collects what the probe in a server tells. */
export class HoldWatch {
  readonly #socket: Socket
  readonly all: Hold[] = []
  /** The most that the heap of the main thread held so far, in megabytes, with what it no longer needs. */
  mostHeap = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    createInterface(socket).on('line', (line) => {
      const told: Hold | { readonly heap: number } = JSON.parse(line)
      if ('heap' in told) this.mostHeap = told.heap
      else this.all.push(told)
    })
  }

  /** @param path of the probe's socket */
  static async open(path: string): Promise<HoldWatch> {
    const socket = connect(path).on('error', () => {})
    await once(socket, 'connect')
    return new HoldWatch(socket)
  }

  /** The longest hold that lies at least partly in a period. */
  worstBetween(from: number, to: number): Hold {
    return this.all
      .filter(({ began, ms }) => began <= to && began + ms >= from)
      .reduce((worst, hold) => (hold.cpuMs > worst.cpuMs ? hold : worst), NO_HOLD)
  }

  close(): void {
    this.#socket.destroy()
  }
}
