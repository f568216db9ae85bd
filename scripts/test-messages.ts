/** Counts of Node's test runner, in the order in which it says them. */
export const countWords = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const

/** Numbers of tests by the names of the event `test:summary`. */
export type Counts = Readonly<Record<string, number>>

/** To a process that runs test files; the last closes what is open in the middle of a file. */
export type ToWorker =
  | { readonly kind: 'run'; readonly file: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'stop' }

/** A test file that has ended. */
export interface Ran {
  readonly kind: 'ran'
  readonly file: string
  readonly counts: Counts
  readonly milliseconds: number
  /** The most memory that its process has held, in MB; undefined if it held that before the file ran. */
  readonly peak?: number | undefined
  /** The tests as Node's `spec` reporter writes them. */
  readonly text: string
  /** The tests that failed, with their errors; empty when there are none. */
  readonly failures: string
}

/**
 * From a process that runs test files: it has started, a test or a suite begins, a file has ended, or it holds too much
 * memory for another one.
 */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begins'; readonly test: string }
  | Ran
  | { readonly kind: 'full' }
