import type { Interruption, Terminal } from './terminal.ts'

const SIGNALS: readonly Interruption[] = ['SIGINT', 'SIGTERM']

/** The terminal of this process. */
export const processTerminal: Terminal = {
  environment: process.env,
  // Node opens it at its first use.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  onInterruption(listener) {
    // Once: the second signal of a kind ends the process.
    for (const signal of SIGNALS) process.once(signal, listener)
    return () => {
      for (const signal of SIGNALS) process.off(signal, listener)
    }
  },
}
