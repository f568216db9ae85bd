import type { BlockedBy } from '../base/observation.ts'

/** How often the main thread beats and how often the watchdog looks, in milliseconds. */
export const BEAT_MS = 100

/** Where things stand in the memory that the main thread and the watchdog share. */
export const CELLS = {
  /** Counts the beats of the event loop. */
  beat: 0,
  /** 1: somebody debugs the process. */
  isInspected: 1,
} as const

/** A function of this name in the main thread's global object tells which request it is handling. */
export const FIND_REQUEST = Symbol.for('objectry.findRequest')

/** What the watchdog starts with. */
export interface WatchdogData {
  readonly cells: Int32Array
  readonly heldWork: Int32Array
  readonly logLevel: string
  /** How long the event loop may be blocked before the process is ended; undefined: for ever. */
  readonly exitSeconds: number | undefined
}

/** What the watchdog tells when the event loop turns again. */
export type BlockEnd = BlockedBy & { readonly milliseconds: number }
