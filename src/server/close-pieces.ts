import { setTimeout as sleep } from 'node:timers/promises'

/** Something to close when the server stops. */
export interface Piece {
  readonly name: string
  close(): Promise<unknown> | undefined
}

/**
 * Closes the pieces in order, even if earlier ones fail or hang. Each may take half of the time that is
 * left, so that one that waits for a frozen database leaves time for later ones.
 * @param deadline on the clock of `performance.now`
 * @param report called for each that failed or took too long
 * @returns whether all were closed in time
 */
export async function closePieces(
  pieces: readonly Piece[],
  deadline: number,
  report: (message: string) => void,
): Promise<boolean> {
  let areClosed = true
  for (const { name, close } of pieces) {
    const timer = new AbortController()
    const closing = Promise.resolve()
      .then(close)
      .catch((error) => report(`Closing the ${name} failed: ${error.message}`))
    const timeout = sleep(Math.max(0, deadline - performance.now()) / 2, 'timeout', {
      signal: timer.signal,
    }).catch(() => {})
    const isClosed = (await Promise.race([closing, timeout])) !== 'timeout'
    timer.abort()
    if (isClosed) continue
    areClosed = false
    report(`Closing the ${name} took too long`)
  }
  return areClosed
}
