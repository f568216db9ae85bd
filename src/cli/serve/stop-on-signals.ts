import type { Config } from '../../config/config.ts'

/** How often is looked whether the npx that started the server is still there. */
const PARENT_MS = 500

/** npx does not pass on the signal that ends it: the server would run on, and nobody knows its process. */
function stopWithNpx(stop: () => void): void {
  if (process.env.npm_command !== 'exec') return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    stop()
  }, PARENT_MS).unref()
}

/**
 * The first signal finishes the calls under way, a second one ends the process at once. The end of the npx that started the server
 * counts as a signal. (docs/how-to/stop-a-server.md)
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
  stopWithNpx(onSignal)
}
