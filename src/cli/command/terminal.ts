import type { Readable, Writable } from 'node:stream'

/** The environment's variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where a command writes; a terminal says so, and how wide it is. */
export interface Output extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** A signal that asks a command to end. */
export type Interruption = 'SIGINT' | 'SIGTERM'

/** The surroundings of a command line: what it reads and writes besides files and the org. */
export interface Terminal {
  readonly environment: Environment
  readonly stdin: Readable
  readonly stdout: Output
  readonly stderr: Output
  /**
   * Calls the listener at an interruption.
   * @returns a function that removes the listener
   */
  onInterruption(listener: (signal: Interruption) => void): () => void
}
