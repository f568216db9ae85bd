import type { Config } from '../../config.ts'

/**
 * The first signal finishes the calls under way, a second one ends the process at once.
 * @param kill what has to be ended with the process
 */
export function stopOnSignals(
  { stopSeconds }: Config,
  stop: () => Promise<'finished' | 'cancelled'>,
  kill?: () => void,
): void {
  let isStopping = false
  const onSignal = async () => {
    if (isStopping) {
      kill?.()
      process.exit(1)
    }
    isStopping = true
    if ((await stop()) === 'finished') process.exit(0)
    process.stderr.write(`Objectry cancelled what had not ended within ${stopSeconds} s.\n`)
    process.exit(1)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
