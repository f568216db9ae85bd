#!/usr/bin/env node
import { processTerminal } from './command/process-terminal.ts'
import { runCommandLine } from './run-command-line.ts'

/** Exit codes from here on are of a command that a signal ended. */
const SIGNAL_CODES = 128

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal)
// Work that did not end in time is cut off.
if (process.exitCode > SIGNAL_CODES) process.exit()
