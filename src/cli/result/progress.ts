import { SingleBar } from 'cli-progress'

/** A result of one page needs no progress. */
const LEAST = 2000

/** Without a terminal a line is written at every so many pages. */
const PAGES_BETWEEN_LINES = 50

/** Tells the person at the terminal how far a long result has come. */
interface Progress {
  reach(count: number): void
  stop(): void
}

const SILENT: Progress = { reach() {}, stop() {} }

function progressBar(total: number): Progress {
  const bar = new SingleBar({
    stream: process.stderr,
    format: '{bar} {percentage} % | {value} of {total} records | {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    clearOnComplete: true,
  })
  bar.start(total, 0)
  return { reach: (count) => bar.update(Math.min(count, total)), stop: () => bar.stop() }
}

function progressLines(total: number): Progress {
  let pages = 0
  return {
    reach(count) {
      if (++pages % PAGES_BETWEEN_LINES === 0) process.stderr.write(`${count} of ${total} records\n`)
    },
    stop() {},
  }
}

/** When the records themselves run over the terminal they show the progress. */
function startProgress(total: number, toTerminal: boolean): Progress {
  if (total <= LEAST || toTerminal) return SILENT
  return process.stderr.isTTY ? progressBar(total) : progressLines(total)
}

/** The same pages; on stderr stands how many of `total` records have come. */
export async function* showProgress<R>(
  pages: AsyncIterable<readonly R[]>,
  total: number,
  toTerminal: boolean,
): AsyncGenerator<readonly R[]> {
  const progress = startProgress(total, toTerminal)
  let count = 0
  try {
    for await (const page of pages) {
      yield page
      count += page.length
      progress.reach(count)
    }
  } finally {
    progress.stop()
  }
}
