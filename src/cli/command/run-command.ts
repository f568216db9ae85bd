import { tellError } from './tell-error.ts'

/** How long a command that was interrupted may take to put things away, in milliseconds; some need longer. */
const GRACE = 1000

/** Exit codes of a command that a signal ended, as shells expect them. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Carries out a command to its exit code: 0 or what the work has set, or 1 or 2 with a message on stderr and no stack trace. At the first Ctrl-C the
 * work's signal is aborted, so that it stops at the next good place; what takes longer than `grace` is cut off, and so
 * is everything at a second Ctrl-C.
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<void>, grace = GRACE): Promise<void> {
  const interruption = new AbortController()
  const { signal } = interruption
  let code = 0
  for (const [name, exitCode] of Object.entries(INTERRUPTED)) {
    process.once(name, () => {
      code = exitCode
      interruption.abort(new Error('interrupted'))
      setTimeout(() => process.exit(exitCode), grace).unref()
    })
  }
  try {
    await work(signal)
  } catch (error) {
    if (error !== signal.reason) tellError(error)
  }
  if (code !== 0) process.exitCode = code
}
