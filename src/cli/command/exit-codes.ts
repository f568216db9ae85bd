import { ConfigError } from '../../config/setting-values.ts'

/** The exit code of a command that could not do what it was asked for. */
const FAILED = 1

/** The exit code of a command line that no command understands: an unknown command or flag, a wrong value. */
export const USED_WRONGLY = 2

/** A command line that is wrong, whatever the org is like. The message says what to type instead. */
export class UsageError extends Error {}

/** The exit code of a command that threw. */
export const exitCodeFor = (error: unknown): number =>
  error instanceof UsageError || error instanceof ConfigError ? USED_WRONGLY : FAILED

/** Ends a command line with an exit code, at once and without a message, unless it has a cause: that is reported. */
export class CommandEnd extends Error {
  readonly exitCode: number

  constructor(exitCode: number, cause?: unknown) {
    super(`exit code ${exitCode}`, { cause })
    this.exitCode = exitCode
  }
}
