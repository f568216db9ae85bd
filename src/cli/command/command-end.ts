/** Ends a command line with an exit code, at once and without a message, unless it has a cause: that is reported. */
export class CommandEnd extends Error {
  readonly exitCode: number

  constructor(exitCode: number, cause?: unknown) {
    super(`exit code ${exitCode}`, { cause })
    this.exitCode = exitCode
  }
}
