import type { Terminal } from '../command/terminal.ts'

/** Waits of up to QUIET_MS show nothing on a terminal; longer ones update the shown time every BETWEEN_TIMES_MS. */
const QUIET_MS = 2000
const BETWEEN_TIMES_MS = 1000

/** Elsewhere each time is a line: the first one comes after this, as do all others. */
const BETWEEN_LINES_MS = 10_000

/** Back to the start of the line, and away with what stands there. */
const CLEAR_LINE = '\r\u001b[K'

/**
 * Does work of which nobody knows how far it is. When it takes longer than two seconds, stderr says what is being done and
 * for how long: on a terminal in one line that goes away at the end, else in a line every ten seconds.
 * @param doing `Restoring start`
 */
export async function showWait<T>({ stderr }: Terminal, doing: string, work: () => Promise<T>): Promise<T> {
  const isTerminal = stderr.isTTY
  const began = performance.now()
  let isShown = false
  const say = () => {
    isShown = true
    const text = `${doing}: ${Math.round((performance.now() - began) / 1000)} s so far`
    stderr.write(isTerminal ? `${CLEAR_LINE}${text}` : `${text}\n`)
    timer = setTimeout(say, isTerminal ? BETWEEN_TIMES_MS : BETWEEN_LINES_MS)
  }
  let timer = setTimeout(say, isTerminal ? QUIET_MS : BETWEEN_LINES_MS)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    if (isShown && isTerminal) stderr.write(CLEAR_LINE)
  }
}
