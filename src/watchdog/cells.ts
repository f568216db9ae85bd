import type { BlockedBy } from '../base/observation.ts'

/** Interval of the main thread's beats and of the watchdog's checks. */
export const BEAT_MS = 100

/** Indexes into the memory that the main thread and the watchdog share. */
export const CELLS = {
  /** Counts the beats of the event loop. */
  beat: 0,
  /** 1 while a debugger is attached to the process. */
  isInspected: 1,
} as const

/** Key of a function in the main thread's global object that returns the request being handled. */
export const FIND_REQUEST = Symbol.for('objectry.findRequest')

/** Start parameters of the watchdog. */
export interface WatchdogData {
  readonly cells: Int32Array
  readonly heldWork: Int32Array
  readonly logLevel: string
  /** How long the event loop may be blocked before the process is ended; undefined: without limit. */
  readonly exitSeconds: number | undefined
}

/** Message of the watchdog when the event loop continues. */
export type BlockEnd = BlockedBy & { readonly milliseconds: number }
