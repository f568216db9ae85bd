import { SingleBar } from 'cli-progress'
import type { Terminal } from '../command/terminal.ts'

/** Without a terminal a line is written at every so many records. */
const BETWEEN_LINES = 20_000

/** Tells the person at the terminal how far the writing has come. */
export interface DemoProgress {
  reach(count: number): void
  stop(): void
}

function progressLines({ stderr }: Terminal, about: number): DemoProgress {
  let next = BETWEEN_LINES
  return {
    reach(count) {
      if (count < next) return
      next += BETWEEN_LINES
      stderr.write(`${count} of about ${about} records\n`)
    },
    stop() {},
  }
}

/** A bar with the rate and the time that is left; how many records there will be is known about. */
export function startDemoProgress(terminal: Terminal, about: number): DemoProgress {
  if (!terminal.stderr.isTTY) return progressLines(terminal, about)
  const began = performance.now()
  const bar = new SingleBar({
    stream: terminal.stderr,
    format: '{bar} {percentage} % | {count} of about {total} records | {rate}/s | {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    clearOnComplete: true,
  })
  bar.start(about, 0, { count: 0, rate: 0 })
  return {
    reach(count) {
      const rate = Math.round((count / (performance.now() - began)) * 1000)
      bar.update(Math.min(count, about), { count, rate })
    },
    stop: () => bar.stop(),
  }
}
