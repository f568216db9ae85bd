#!/usr/bin/env node
import type { Interruption, Terminal } from './command/terminal.ts'
import { runCommandLine } from './run-command-line.ts'

const SIGNALS: readonly Interruption[] = ['SIGINT', 'SIGTERM']

/** The terminal of this process. */
const processTerminal: Terminal = {
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

/** Exit codes from here on are of a command that a signal ended. */
const SIGNAL_CODES = 128

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal)
// Work that did not end in time is cut off.
if (process.exitCode > SIGNAL_CODES) process.exit()
