import { SingleBar } from 'cli-progress'
import type { Terminal } from '../command/terminal.ts'
import { countText } from './terminal-text.ts'

/** A result of one page needs no progress. */
const LEAST = 2000

/** Without a terminal a line is written every so many milliseconds. */
const BETWEEN_LINES = 5000

/** Tells the person at the terminal how far something long has come. */
export interface Progress {
  /** @param value of the total; @param count what people count: records, rows */
  reach(value: number, count: number): void
  stop(): void
}

interface Journey {
  /** The total; undefined if it is unknown. */
  readonly total: number | undefined
  /** The part that was done before. */
  readonly start?: number
  /** The count in words: `12,400 rows`. */
  readonly words: (count: number) => string
}

const SILENT: Progress = { reach() {}, stop() {} }

/** `7 s`, `2 min 05 s`, `1 h 20 min`. */
function durationText(seconds: number): string {
  const pad = (number: number) => String(number).padStart(2, '0')
  const [whole, minutes] = [Math.ceil(seconds), Math.floor(Math.ceil(seconds) / 60)]
  if (whole < 60) return `${whole} s`
  if (minutes < 60) return `${minutes} min ${pad(whole % 60)} s`
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`
}

/** How much is done, how fast, and how long the rest will take if it goes on so. */
function makeReport({ total, start = 0, words }: Journey): (value: number, count: number) => string {
  const begin = performance.now()
  return (value, count) => {
    const seconds = Math.max(0.001, (performance.now() - begin) / 1000)
    const parts = [words(count), `${countText(Math.round(count / seconds))}/s`]
    if (total !== undefined && value > start) {
      parts.push(`${durationText((seconds * Math.max(0, total - value)) / (value - start))} left`)
    }
    return parts.join(', ')
  }
}

function progressBar({ stderr }: Terminal, journey: Journey & { readonly total: number }): Progress {
  const { total, start = 0, words } = journey
  const bar = new SingleBar({
    stream: stderr,
    format: '{bar} {percentage} % | {report}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    clearOnComplete: true,
  })
  const report = makeReport(journey)
  bar.start(total, start, { report: words(0) })
  return {
    reach: (value, count) => bar.update(Math.min(value, total), { report: report(value, count) }),
    stop: () => bar.stop(),
  }
}

function progressLines({ stderr }: Terminal, journey: Journey): Progress {
  const { total } = journey
  const report = makeReport(journey)
  let last = performance.now()
  return {
    reach(value, count) {
      const now = performance.now()
      if (now - last < BETWEEN_LINES) return
      last = now
      const share = total === undefined ? '' : `${Math.floor((value / total) * 100)} %: `
      stderr.write(`${share}${report(value, count)}\n`)
    },
    stop() {},
  }
}

/** A bar on a terminal, else a line every few seconds. */
export function startProgress(terminal: Terminal, journey: Journey): Progress {
  const { total } = journey
  return total === undefined || !terminal.stderr.isTTY
    ? progressLines(terminal, journey)
    : progressBar(terminal, { ...journey, total })
}

/**
 * The same pages; on stderr stands how many of `total` records have come. When the records themselves run over the
 * terminal they show the progress.
 */
export async function* showProgress<R>(
  terminal: Terminal,
  pages: AsyncIterable<readonly R[]>,
  total: number,
  toTerminal: boolean,
): AsyncGenerator<readonly R[]> {
  const words = (count: number) => `${countText(count)} of ${countText(total)} records`
  const progress = total <= LEAST || toTerminal ? SILENT : startProgress(terminal, { total, words })
  let count = 0
  try {
    for await (const page of pages) {
      yield page
      count += page.length
      progress.reach(count, count)
    }
  } finally {
    progress.stop()
  }
}
