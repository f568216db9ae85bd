import { CommandEnd, exitCodeFor } from './command/exit-codes.ts'
import { getErrorMessage } from './command/get-error-message.ts'
import { findInstallation } from './command/installation.ts'
import { errorText } from './command/styled-text.ts'
import type { Output, Terminal } from './command/terminal.ts'
import { makeProgram } from './program.ts'

/** True if the reader of the output has enough, as in `| head`. That is no failure. */
const isBrokenPipe = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EPIPE'

/** Resolves when everything is written, or cannot be. */
function flush(output: Output): Promise<void> {
  return new Promise((resolve) => {
    // A stream reports an error after it has called back.
    output.write('', () => setImmediate(resolve))
  })
}

/**
 * Carries out a command line to its exit code: 0, what the command ends with, or 1 or 2 with a message on standard error
 * and no stack trace. `serve` goes on after it, and ends the process itself.
 * @param args what is typed behind `objectry`
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const { stdout, stderr } = terminal
  let code = 0
  let reported: unknown
  const fail = (error: unknown) => {
    // A failed write is reported twice: to its caller and by the stream.
    if (isBrokenPipe(error) || error === reported) return
    reported = error
    stderr.write(`${errorText(terminal, getErrorMessage(error))}\n`)
    code = exitCodeFor(error)
  }
  let isOutputBroken = false
  // A command goes on to its end when nobody reads its output any more. The listeners stay: a server writes after this.
  stderr.on('error', () => {})
  stdout.on('error', (error) => {
    if (!isOutputBroken) fail(error)
    isOutputBroken = true
  })
  try {
    await makeProgram(findInstallation(), terminal, args).parseAsync(args, { from: 'user' })
  } catch (error) {
    const isEnd = error instanceof CommandEnd
    const failure = isEnd ? error.cause : error
    if (failure !== undefined) fail(failure)
    if (isEnd) code = error.exitCode
  }
  await flush(stdout)
  return code
}
