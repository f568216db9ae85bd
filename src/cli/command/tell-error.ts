import { errorText } from './error-text.ts'
import { exitCodeFor } from './exit-codes.ts'
import { getErrorMessage } from './get-error-message.ts'

/** Whoever read our output has enough: `| head`. That is no failure. */
const isBrokenPipe = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EPIPE'

/** What a write to standard output failed with: its caller and the stream are both told. */
let told: unknown

/** Says what a command failed with on stderr, once, without a stack trace, and sets its exit code. */
export function tellError(error: unknown): void {
  if (isBrokenPipe(error) || error === told) return
  told = error
  process.stderr.write(`${errorText(getErrorMessage(error))}\n`)
  process.exitCode = exitCodeFor(error)
}

/** A command goes on to its end when nobody reads its output any more; output that cannot be written is its failure. */
export function watchOutput(): void {
  process.stderr.on('error', () => {})
  process.stdout.on('error', tellError)
}
