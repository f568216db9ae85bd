import { CommandEnd } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** How long a command that was interrupted may take to put things away, in milliseconds; some need longer. */
const GRACE = 1000

/** Exit codes of a command that a signal ended, as shells expect them. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Carries out a command. At the first Ctrl-C the work's signal is aborted, so that it stops at the next good place; what
 * takes longer than `grace` is cut off.
 * @throws CommandEnd after an interruption; else what the work throws
 */
export async function runCommand(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<void>,
  grace = GRACE,
): Promise<void> {
  const interruption = new AbortController()
  const { signal } = interruption
  const cutOff = Promise.withResolvers<never>()
  let code: number | undefined
  let timer: NodeJS.Timeout | undefined
  const stopListening = terminal.onInterruption((name) => {
    const exitCode = INTERRUPTED[name]
    code = exitCode
    interruption.abort(new Error('interrupted'))
    timer ??= setTimeout(() => cutOff.reject(signal.reason), grace)
  })
  let failure: unknown
  try {
    await Promise.race([work(signal), cutOff.promise])
  } catch (error) {
    if (code === undefined) throw error
    if (error !== signal.reason) failure = error
  } finally {
    stopListening()
    clearTimeout(timer)
  }
  if (code !== undefined) throw new CommandEnd(code, failure)
}
